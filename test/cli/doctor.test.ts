import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import DoctorCommand from '../../cli/commands/doctor.ts';
import type { Check } from '../../cli/doctor/check.ts';
import { diagnoseClock } from '../../cli/doctor/clock.ts';
import { DEFAULT_RETENTION } from '../../src/base/settings/retention.ts';
import { checkBackup } from '../../cli/doctor/backup.ts';
import { diagnoseCleanup } from '../../cli/doctor/cleanup.ts';
import { diagnoseDisk } from '../../cli/doctor/disk.ts';
import { checkGitAndLfs, diagnoseGit } from '../../cli/doctor/git.ts';
import { listHttpEndpoints } from '../../cli/doctor/models.ts';
import { checkModes, diagnoseModes } from '../../cli/doctor/modes.ts';
import { diagnoseNode } from '../../cli/doctor/examineHome.ts';
import { diagnoseTriggers } from '../../cli/doctor/triggers.ts';
import { diagnosePlugins } from '../../cli/doctor/plugins.ts';
import { PLUGIN } from '../support/http/fakePlugins.ts';
import { diagnoseStore } from '../../cli/doctor/store.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { formatPackageJson, writeFiles } from '../support/pluginFolder.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite<{ home: string }>('svc doctor');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-doctor-test-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const config = (home: string, content: object) =>
  writeFile(join(home, 'config.json'), JSON.stringify({ server: { port: 0 }, ...content }), {
    mode: 0o600,
  });

const look = async (home: string, env: Record<string, string> = {}) => {
  const line = new CommandLine({ SVC_HOME: home, PATH: process.env.PATH ?? '', ...env });
  const { code, out } = await line.run(DoctorCommand, ['--json']);
  const { ok, checks }: { ok: boolean; checks: Check[] } = JSON.parse(out);
  const of = (id: string) => checks.find((check) => check.id === id);
  return { code, ok, checks, of, text: out };
};

const listening = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};
const closeServer = (server: Server) =>
  new Promise<void>((resolve) => void server.close(() => resolve()));

test('an installed forge is something to work on, unless it is switched off', async ({ home }) => {
  await config(home, {});
  const isWarned = async () =>
    /no forge is configured/.test((await look(home)).of('forge')?.detail ?? '');
  assert.is(await isWarned(), true);
  writeFiles(join(home, 'plugins', 'minihub'), {
    'package.json': formatPackageJson('minihub', { kind: 'scm', capabilities: undefined }),
    'index.js': 'export default {};',
  });
  assert.is((await look(home)).of('forge')?.detail, 'repositories of minihub');
  await config(home, { plugins: { installed: { minihub: { enabled: false } } } });
  assert.is(await isWarned(), true);
});

test('git without git-lfs is a warning where checkouts get files of Git LFS', async () => {
  const path = await mkdtemp(join(tmpdir(), 'svc-doctor-path-'));
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
  await symlink(stdout.trim(), join(path, 'git'));
  assert.is((await checkGitAndLfs(path, [])).status, 'ok');
  assert.is((await checkGitAndLfs(path, ['shop'])).status, 'warning');
  await rm(path, { recursive: true });
});

test('every check has its place, and an empty home has no error (CLI-5)', async ({ home }) => {
  await config(home, {});
  const { code, ok, checks } = await look(home);
  assert.equal(code, 0, JSON.stringify(checks));
  assert.equal(ok, true, JSON.stringify(checks));
  assert.equal(
    checks.map(({ id }) => id),
    [
      'node',
      'git',
      'config',
      'modes',
      'disk',
      'cleanup',
      'backup',
      'temporary',
      'store',
      'rows',
      'archives',
      'port',
      'forge',
      'plugins',
      'overlay',
      'triggers',
      'schedules',
      'agents',
      'executors',
      'sandbox',
      'guardrails',
      'network',
      'models',
      'tool-servers',
      'pools',
      'notifications',
      'traces',
      'prices',
      'clock',
    ],
  );
  for (const { status, fix } of checks)
    assert.is(fix === null, status === 'ok' || status === 'skipped');
});

test('each configured tool server is tried, and its fault is named without its secrets (CLI-5)', async ({
  home,
}) => {
  const key = 'canary-of-the-server';
  const script =
    "process.stderr.write('API_KEY is not set, OTHER is ' + process.env.OTHER); process.exit(3)";
  await config(home, {
    mcpServers: {
      gone: { type: 'stdio', command: 'no-such-program' },
      mute: { type: 'stdio', command: process.execPath, args: ['-e', script], env: { OTHER: key } },
    },
  });
  const diagnosis = (await look(home)).of('tool-servers');
  assert.is(diagnosis?.status, 'error');
  assert.is(
    diagnosis?.detail,
    'gone: its program cannot be started: spawn no-such-program ENOENT; mute: it ended with exit code 3; its last words: API_KEY is not set, OTHER is [secret]',
  );
});

test('a remote forge that cannot be used is an error before any runner starts, and every one that can is named (CLI-5)', async ({
  home,
}) => {
  const app = { appId: 1, installationId: 2, privateKey: `file:${home}/app.pem` };
  await config(home, { plugins: { installed: { github: { config: app } } } });
  const wrong = await look(home);
  assert.is(wrong.code, 1);
  assert.is(wrong.of('forge')?.status, 'error');
  assert.match(
    wrong.of('forge')?.detail ?? '',
    /privateKey names .*app\.pem, which does not contain/,
  );
  const tokens = { github: { config: { token: 'ghp_x' } }, gitlab: { config: { token: 'glpat' } } };
  await config(home, { plugins: { installed: tokens } });
  assert.is((await look(home)).of('forge')?.detail, 'repositories of github, gitlab');
});

test('wrong settings of plugins are an error before any runner starts, with what repairs them (CFG-2)', async ({
  home,
}) => {
  const installed = {
    builtin: { config: { maxTurns: 'zzz', maxTurn: 5 } },
    local: { config: { wakeAuthors: 5 } },
    acp: { enabled: false, config: { nothing: 1 } },
  };
  await config(home, { plugins: { installed } });
  const { of } = await look(home);
  assert.equal(of('plugins'), {
    id: 'plugins',
    title: 'Plugins',
    status: 'error',
    detail:
      'plugins.installed.builtin.config: "maxTurn" is not known (did you mean "maxTurns"?); "maxTurns" must be a whole number. plugins.installed.local.config: "wakeAuthors" must be a string.',
    fix: 'Correct the value, or: svc config set plugins.installed.builtin.config.maxTurn --unset; svc config set plugins.installed.builtin.config.maxTurns --unset; svc config set plugins.installed.local.config.wakeAuthors --unset',
  });
});

test('webhooks that created no job are reported with the reason of the last one (RUN-8)', () => {
  const rule = {
    id: 'bugs',
    enabled: true,
    plugin: 'github',
    events: ['issue.labeled'],
    workflow: 'workflows/job.md',
    perHour: 5,
    madeThisHour: 0,
  };
  assert.is(diagnoseTriggers([]).status, 'skipped');
  assert.is(diagnoseTriggers([{ ...rule, refused: 0, lastRefusal: null }]).status, 'ok');
  const { status, detail } = diagnoseTriggers([
    { ...rule, refused: 2, lastRefusal: 'The job cannot run.' },
  ]);
  assert.equal(status, 'warning');
  assert.equal(detail, 'bugs created no job 2 times; the last time: The job cannot run.');
});

test('a home without a model is warned that no agent can run, with the command that changes it', async ({
  home,
}) => {
  await config(home, {});
  const { of } = await look(home);
  assert.is(of('agents')?.status, 'warning');
  assert.match(
    of('agents')?.detail ?? '',
    /^no agent can run: they use command, but the agent has no `command:`/,
  );
  assert.match(of('agents')?.fix ?? '', 'svc init --base-url <address> --model <model>');
  await config(home, {
    llm: { defaultProvider: 'builtin' },
    plugins: { installed: { builtin: { config: { baseUrl: 'http://127.0.0.1:1', model: 'm' } } } },
  });
  assert.is((await look(home)).of('agents')?.status, 'ok');
});

test('each agent that is configured, or that an alias names, is checked: program and version, key, model, and what to run', async ({
  home,
}) => {
  const program = join(home, 'opencode');
  await writeFile(program, '#!/bin/sh\necho opencode 9.8.7\n', { mode: 0o755 });
  const settings = (more: object) => ({
    llm: { defaultProvider: 'acp:opencode' },
    plugins: {
      installed: {
        acp: {
          config: {
            opencodePath: program,
            opencodeProvider: 'anthropic',
            opencodeModel: 'm',
            geminiPath: '/nowhere/gemini',
            geminiApiKey: 'canary-key',
            ...more,
          },
        },
        claude: { config: { sdkDir: '/nowhere' } },
        builtin: { config: { baseUrl: 'http://127.0.0.1:1' } },
      },
    },
  });
  await config(home, settings({}));
  const { of, text } = await look(home);
  const readCheckReport = (id: string) => [of(id)?.status, of(id)?.detail, of(id)?.fix];
  assert.equal(readCheckReport('executors.acp:opencode'), [
    'warning',
    `acp:opencode: opencode 9.8.7, ${program}, model m; no key is set for anthropic (opencodeApiKey in plugins.installed.acp.config)`,
    'Run: svc config set plugins.installed.acp.config.opencodeApiKey - < file',
  ]);
  assert.equal(readCheckReport('executors.acp:gemini').slice(0, 2), [
    'warning',
    'acp:gemini: gemini; the program /nowhere/gemini was not found',
  ]);
  assert.match(
    readCheckReport('executors.acp:gemini')[2] ?? '',
    'npm install -g @google/gemini-cli',
  );
  assert.match(
    readCheckReport('executors.claude')[2] ?? '',
    'npm install @anthropic-ai/claude-agent-sdk',
  );
  assert.equal(readCheckReport('executors.builtin'), [
    'warning',
    'builtin: anthropic endpoint http://127.0.0.1:1/v1, no key is set; no model is set (plugins.installed.builtin.config.model, or a model alias for the phase)',
    'Run: svc config set plugins.installed.builtin.config.model <model>',
  ]);
  assert.not.match(text, 'canary-key');
  await config(home, settings({ opencodeApiKey: 'k' }));
  assert.is((await look(home)).of('executors.acp:opencode')?.status, 'ok');
});

test('a home that others can read is an error, with the commands that close it; running them fixes it', async ({
  home,
}) => {
  await config(home, {});
  await chmod(home, 0o755);
  await chmod(join(home, 'config.json'), 0o644);
  const { code, of } = await look(home);
  assert.is(code, 1);
  assert.equal(of('modes'), {
    id: 'modes',
    title: 'File modes',
    status: 'error',
    detail: `others have access: ${home} (0755), ${home}/config.json (0644)`,
    fix: `chmod 700 ${home}; chmod 600 ${home}/config.json`,
  });
  await chmod(home, 0o700);
  await chmod(join(home, 'config.json'), 0o600);
  assert.is((await look(home)).of('modes')?.status, 'ok');
});

test('modes are judged by the path: a 0644 file in a home closed to others is no error', async ({
  home,
}) => {
  await config(home, {});
  await chmod(join(home, 'config.json'), 0o644);
  assert.equal((await look(home)).of('modes'), {
    id: 'modes',
    title: 'File modes',
    status: 'ok',
    detail: 'only you can read the home',
    fix: null,
  });
  const inside = join(home, 'inside');
  await mkdir(inside, { mode: 0o755 });
  await config(inside, {});
  await chmod(join(inside, 'config.json'), 0o644);
  assert.is((await look(inside)).of('modes')?.status, 'ok');
  await chmod(home, 0o711);
  assert.is((await look(inside)).of('modes')?.status, 'error');
});

test('an invalid configuration is reported with line and column, and what depends on it is skipped', async ({
  home,
}) => {
  await writeFile(join(home, 'config.json'), '{\n  "server": { "prt": 1 }\n}', { mode: 0o600 });
  const { code, of } = await look(home);
  assert.is(code, 1);
  assert.match(of('config')?.detail ?? '', `${home}/config.json:2:15`);
  assert.equal(
    ['port', 'forge', 'models'].map((id) => [of(id)?.status, of(id)?.detail]),
    Array(3).fill(['skipped', 'the configuration cannot be read']),
  );
});

test('a git that is not on the PATH', async ({ home }) => {
  await config(home, {});
  const { code, of } = await look(home, { PATH: home });
  assert.equal(code, 1);
  assert.equal(of('git')?.status, 'error');
  assert.equal(of('git')?.detail, 'git is not on the PATH');
});

test('a held port', async ({ home }) => {
  const { server, port } = await listening();
  try {
    await config(home, { server: { port } });
    // It takes connections and says nothing; it is asked once whether it is a runner.
    server.on('connection', (socket) => socket.destroy());
    const { code, of } = await look(home);
    assert.equal(code, 1);
    assert.equal(of('port')?.detail, `port ${port} of 127.0.0.1 is in use by another program`);
  } finally {
    await closeServer(server);
  }
});

test('a store that is held is left alone, an intact one is reported as intact, and a damaged one is an error', async ({
  home,
}) => {
  await config(home, {});
  const file = join(home, 'state.db');
  const store = openStore({ file, pid: process.pid, now: 0 });
  const diagnosis = (await look(home)).of('store');
  store.close();
  assert.equal(diagnosis?.status, 'warning');
  assert.equal(diagnosis?.detail, `process ${process.pid} holds ${file}, and no runner answers`);
  assert.is((await look(home)).of('store')?.detail, `${file} is intact`);
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0xff, 100, 4_000));
  const { code, of } = await look(home);
  assert.equal(code, 1);
  assert.equal(of('store')?.status, 'error');
  assert.match(of('store')?.detail ?? '', 'is damaged');
});

test('repositories that are not there or have no commit', async ({ home }) => {
  const folder = join(home, 'no-repository');
  await mkdir(folder);
  await config(home, { forges: { local: { repos: { shop: folder } } } });
  const { code, of } = await look(home);
  assert.equal(code, 1);
  assert.equal(of('forge')?.status, 'error');
  assert.match(of('forge')?.detail ?? '', `shop: ${folder} is not a git repository`);
});

test('addresses of models: reachable or not, and nothing of the address but host and port', async ({
  home,
}) => {
  const { server, port } = await listening();
  const plugins = (url: string) => ({
    plugins: { installed: { acme: { config: { baseUrl: url } } } },
  });
  await config(home, plugins(`http://user:secret-word@127.0.0.1:${port}/v1?key=secret-word`));
  const reachable = await look(home);
  assert.equal(reachable.of('models')?.detail, `acme: 127.0.0.1:${port}`);
  await closeServer(server);
  const lost = await look(home);
  assert.equal(lost.code, 1);
  assert.equal(
    lost.of('models')?.detail,
    `acme: 127.0.0.1:${port} cannot be reached (ECONNREFUSED)`,
  );
  assert.not.match(reachable.text + lost.text, 'secret-word');
  assert.equal(
    listHttpEndpoints({ acme: { enabled: false, config: { baseUrl: 'https://models.example' } } }),
    [],
  );
});

test('a schedule of backups without a backup is a warning (CLI-5)', async ({ home }) => {
  const backup = { everyMs: 86_400_000, folder: home, copies: 7, work: 'active' as const };
  assert.is((await checkBackup({ home, backup }, 0)).status, 'warning');
  assert.is(
    (await checkBackup({ home, backup: { ...backup, everyMs: null } }, 0)).status,
    'skipped',
  );
});

test('many folders of jobs and no cleanup is a warning, few are not (CLI-5)', () => {
  const retention = { ...DEFAULT_RETENTION, everyMs: null };
  assert.equal(
    [19, 20].map((folders) => diagnoseCleanup(retention, folders).status),
    ['ok', 'warning'],
  );
  assert.is(diagnoseCleanup({ ...retention, everyMs: 1 }, 500).status, 'ok');
});

test('what is judged does not depend on this machine', () => {
  assert.equal(
    [
      diagnoseNode('v20.1.0', 'linux', 'x64'),
      diagnoseNode('v18.20.0', 'linux', 'x64'),
      diagnoseNode('v22.0.0', 'win32', 'x64'),
    ].map(({ status }) => status),
    ['ok', 'error', 'warning'],
  );
  assert.equal(
    ['git version 2.39.4', 'git version 2.39.3', 'git version 3.0.0', 'hello'].map(
      (output) => diagnoseGit(output).status,
    ),
    ['ok', 'error', 'ok', 'error'],
  );
  const MIB = 1024 * 1024;
  assert.equal(
    [102, 103, 1023, 1024].map(
      (free) => diagnoseDisk([{ folder: '/h', bytes: free * MIB }], 1024).status,
    ),
    ['error', 'warning', 'warning', 'ok'],
  );
  // The limit of the runner; where that is off, its default.
  const spaces = [
    { folder: '/h', bytes: 5000 * MIB },
    { folder: '/w', bytes: 1500 * MIB },
  ];
  assert.equal(
    [2048, 1024, 0].map((limit) => diagnoseDisk(spaces, limit).status),
    ['warning', 'ok', 'ok'],
  );
  assert.is(
    diagnoseDisk(spaces, 2048).detail,
    '1,500 MB free on the disk of /w; below 2,048 MB no session starts',
  );
  assert.is(
    diagnoseModes([{ path: '/h', mode: 0o700, uid: 1, isFolder: true }], 2).detail,
    'belongs to another user: /h',
  );
  assert.equal(
    diagnoseClock([{ whose: 'the runner', shows: 10_000, here: 5_000 }]).detail,
    '-5.0 s ahead of the runner (negative: behind)',
  );
  assert.is(
    diagnoseStore({ held: true }, '/h/state.db', { pid: 7, alive: true }, true).detail,
    'held by the runner (process 7)',
  );
  assert.is(
    diagnoseStore({ held: true }, '/h/state.db', { pid: 7, alive: true }, false).status,
    'warning',
  );
  assert.is(diagnosePlugins([]).status, 'warning');
  const diagnosis = diagnosePlugins([{ ...PLUGIN, id: 'gone', kind: null, origin: 'leftover' }]);
  assert.equal(diagnosis.status, 'warning');
  assert.equal(diagnosis.detail, 'settings without a plugin: gone');
  assert.equal(diagnosis.fix, 'svc config set plugins.installed.gone --unset');
});

test('a store of a newer release is an error that svc doctor knows, as svc start does', () => {
  const version = MIGRATIONS.length + 1;
  const { status, detail } = diagnoseStore(
    { held: false, problems: [], version, release: null },
    '/h/state.db',
    null,
    false,
  );
  assert.equal(status, 'error');
  assert.equal(
    detail,
    `/h/state.db has version ${version}, this release reads up to ${version - 1}: start the newer release, or restore a backup of this release`,
  );
});

test('a store on which a newer release has run is an error too, whatever its schema', () => {
  const version = MIGRATIONS.length;
  const { status, detail } = diagnoseStore(
    { held: false, problems: [], version, release: '0.3.0' },
    '/h/state.db',
    null,
    false,
    '0.2.0',
  );
  assert.equal(status, 'error');
  assert.match(detail, /^svc 0\.3\.0 has run on \/h\/state\.db, and this is svc 0\.2\.0/);
});

test('a home that cannot be written is an error, also where it does not exist yet', async () => {
  for (const home of ['/dev/null/.svc', '/dev/null']) {
    const { status, detail } = await checkModes(home);
    assert.is(status, 'error');
    assert.match(detail, '(ENOTDIR)');
  }
  assert.is((await checkModes(join(tmpdir(), 'svc-no-home', '.svc'))).status, 'skipped');
});

test.run();
