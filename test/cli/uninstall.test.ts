import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import UninstallCommand from '../../cli/commands/uninstall.ts';
import { createSystemdManager } from '../../cli/service/createSystemdManager.ts';
import { buildServicePlan } from '../../cli/service/buildServicePlan.ts';
import { findInstallation, removeProgram } from '../../cli/uninstall/findInstallation.ts';
import { findServicesHere } from '../../cli/uninstall/findServicesHere.ts';
import { noteStart } from '../../src/host/config/home/startNote.ts';
import { findLocalPlaces } from '../../src/base/system/postgres/localPlaces.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite<{ dir: string; home: string; line: CommandLine }>('svc uninstall');

const COMPLETION = 'source <(svc completion bash)\n';

test.before.each((context) => {
  context.dir = realpathSync(mkdtempSync(join(tmpdir(), 'svc-cli-uninstall-')));
  context.home = join(context.dir, '.svc');
  mkdirSync(context.home);
  writeFileSync(join(context.home, 'home.json'), '{}');
  writeFileSync(join(context.dir, '.bashrc'), `a\n${COMPLETION}`);
  context.line = new CommandLine({ SVC_HOME: context.home });
  context.line.homeDir = context.dir;
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const bashrc = (dir: string): string => readFileSync(join(dir, '.bashrc'), 'utf8');

test('without a terminal and without --yes it is refused, everything listed first', async ({
  dir,
  line,
}) => {
  for (const flags of [[], ['--purge']]) {
    const { code, err } = await line.run(UninstallCommand, flags);
    assert.is(code, 2);
    assert.match(
      err,
      /remove completion: line 2 of .*\.bashrc\n(.*\n)*Error: .*no terminal is attached\. Give --yes/,
    );
  }
  assert.is(bashrc(dir), `a\n${COMPLETION}`);
});

test('a no, Ctrl-C and a wrong name do nothing', async ({ dir, line }) => {
  for (const [flags, answer] of [
    [[], 'n'],
    [[], null],
    [['--purge'], 'yes'],
    [['--purge'], null],
    [['--purge'], ''],
  ] as const) {
    line.answers = [answer];
    const { code, err, out } = await line.run(UninstallCommand, [...flags]);
    assert.equal([code, out], [1, '']);
    assert.match(err, /Nothing was done\.\n$/);
  }
  assert.is(bashrc(dir), `a\n${COMPLETION}`);
  assert.equal(readdirSync(dir), ['.bashrc', '.svc']);
});

test('it removes completion, keeps the home and names it; a second time nothing is left to remove', async ({
  dir,
  home,
  line,
}) => {
  line.answers = ['y'];
  const { code, out } = await line.run(UninstallCommand, []);
  assert.is(code, 0);
  assert.match(
    out,
    `Removed completion: line 2 of ${join(dir, '.bashrc')}\nThe home stays, with every job: ${home}\n`,
  );
  assert.match(out, /This svc runs from .*, which npm did not install\./);
  assert.is(bashrc(dir), 'a\n');
  const again = await line.run(UninstallCommand, []);
  assert.is(again.code, 0);
  assert.match(
    again.out,
    `svc uninstall finds nothing to remove.\nThe home stays, with every job: ${home}\n`,
  );
});

test('a runner that is about to start is listed and stopped (CLI-2)', async ({ home, line }) => {
  const process = spawn('sleep', ['60']);
  const exit = once(process, 'exit');
  await noteStart(home, process.pid ?? 0);
  line.answers = ['y'];
  const { code, out, err } = await line.run(UninstallCommand, []);
  assert.is(code, 0);
  assert.match(err, `stop the runner (process ${process.pid}), which does not answer yet`);
  assert.match(out, `Stopped the runner (process ${process.pid}).`);
  assert.equal(await exit, [null, 'SIGTERM']);
});

test('--purge asks for the name of the home and removes it; the rest of the folder stays', async ({
  dir,
  home,
  line,
}) => {
  writeFileSync(join(dir, 'mine'), '');
  line.answers = ['.svc'];
  const { code, out } = await line.run(UninstallCommand, ['--purge']);
  assert.is(code, 0);
  assert.match(out, `Removed the home: ${home}\n`);
  assert.equal(readdirSync(dir), ['.bashrc', 'mine']);
  const again = await line.run(UninstallCommand, ['--purge', '--yes', '--json']);
  assert.is(JSON.parse(again.out).homeIs, 'none');
});

/** What svc cloud start leaves in a home; as root it is elsewhere. */
function makeDatabase(home: string, isRoot: boolean): { base: string; data: string } {
  const places = findLocalPlaces(home, isRoot);
  mkdirSync(places.data, { recursive: true });
  mkdirSync(join(home, 'cloud'), { recursive: true });
  writeFileSync(places.passwordFile, 'secret\n');
  return places;
}

test('the database of a control plane is listed and stays, and goes with --purge (CLI-2)', async ({
  home,
  line,
}) => {
  for (const isRoot of process.getuid?.() === 0 ? [false, true] : [false]) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'home.json'), '{}');
    const { base } = makeDatabase(home, isRoot);
    const result = await line.run(UninstallCommand, ['--dry-run', '--json']);
    assert.is(JSON.parse(result.out).database, base);
    assert.is((await line.run(UninstallCommand, ['--yes'])).code, 0);
    assert.is(existsSync(base), true);
    const { code, out } = await line.run(UninstallCommand, ['--purge', '--yes', '--json']);
    assert.is(code, 0);
    assert.is(JSON.parse(out).homeIs, 'removed');
    assert.equal([existsSync(base), existsSync(home)], [false, false]);
  }
});

test('--purge is refused while the database of the control plane runs (CLI-2)', async ({
  home,
  line,
}) => {
  const { data } = makeDatabase(home, false);
  const server = spawn('sleep', ['60']);
  writeFileSync(join(data, 'postmaster.pid'), `${server.pid}\n${data}\n`);
  const refused = await line.run(UninstallCommand, ['--purge', '--yes', '--json']);
  assert.is(refused.code, 1);
  assert.is(JSON.parse(refused.out).error.code, 'not-possible-now');
  assert.is(existsSync(data), true);
  assert.is((await line.run(UninstallCommand, ['--yes'])).code, 0);
  server.kill();
  await once(server, 'exit');
  assert.is((await line.run(UninstallCommand, ['--purge', '--yes'])).code, 0);
  assert.is(existsSync(home), false);
});

test('a home that only a control plane has used is a home', async ({ home, line }) => {
  rmSync(join(home, 'home.json'));
  makeDatabase(home, false);
  assert.is((await line.run(UninstallCommand, ['--purge', '--yes'])).code, 0);
  assert.is(existsSync(home), false);
});

test('--purge --yes loses no work: it needs --discard-work too', async ({ dir, home, line }) => {
  mkdirSync(join(home, 'work/job-1'), { recursive: true });
  writeFileSync(join(home, 'work/job-1/notes.txt'), 'x');
  const refused = await line.run(UninstallCommand, ['--purge', '--yes']);
  assert.is(refused.code, 1);
  assert.match(refused.err, /May contain work \(1\):\n +.*notes\.txt: svc did not create it\n/);
  assert.match(
    refused.err,
    /The home contains work that exists only there \(1; --dry-run lists it\)/,
  );
  assert.is(bashrc(dir), `a\n${COMPLETION}`);
  // At a terminal a person is asked even so.
  line.answers = ['no'];
  assert.is((await line.run(UninstallCommand, ['--purge', '--yes'])).code, 1);
  line.answers = null;
  assert.is((await line.run(UninstallCommand, ['--discard-work'])).code, 2);
  assert.is(existsSync(home), true);
  const { code, out } = await line.run(UninstallCommand, [
    '--purge',
    '--yes',
    '--discard-work',
    '--json',
  ]);
  assert.is(code, 0);
  const { atStake, homeIs, done } = JSON.parse(out);
  assert.equal([atStake.length, homeIs, done], [1, 'removed', true]);
  assert.equal(readdirSync(dir), ['.bashrc']);
});

test('--dry-run changes nothing, and a removal that was cut continues without a list', async ({
  dir,
  home,
  line,
}) => {
  mkdirSync(join(home, 'work/job-1'), { recursive: true });
  writeFileSync(join(home, 'work/job-1/notes.txt'), 'x');
  const preview = await line.run(UninstallCommand, ['--purge', '--dry-run']);
  assert.match(preview.out, /This would be lost:\n/);
  writeFileSync(join(home, 'uninstall.json'), '{}');
  const cut = await line.run(UninstallCommand, ['--purge', '--dry-run']);
  assert.match(
    cut.out,
    /The removal of the home has started and is not finished; it continues\.\n/,
  );
  assert.is((await line.run(UninstallCommand, ['--purge', '--yes'])).code, 0);
  assert.equal(readdirSync(dir), ['.bashrc']);
});

test('a home that is damaged: what cannot be read is named as what may be lost', async ({
  home,
  line,
}) => {
  writeFileSync(join(home, 'state.db'), 'no database');
  writeFileSync(join(home, 'config.json'), '{');
  const { err, code } = await line.run(UninstallCommand, ['--purge', '--yes']);
  assert.is(code, 1);
  assert.match(
    err,
    /Cannot be read; contents unknown \(1\):\n +\S+\/state\.db is damaged or not an svc store: file is not a database\n/,
  );
  assert.match(err, /The configuration cannot be read, so its repositories are unknown\./);
  line.answers = ['.svc'];
  assert.is((await line.run(UninstallCommand, ['--purge'])).code, 0);
  assert.is(existsSync(home), false);
});

test('a folder that is no home: --purge is refused, without it the rest goes', async ({ dir }) => {
  const line = new CommandLine({ SVC_HOME: join(dir, 'project') });
  line.homeDir = dir;
  mkdirSync(join(dir, 'project'));
  writeFileSync(join(dir, 'project', 'main.c'), '');
  const { code, err } = await line.run(UninstallCommand, ['--purge', '--yes']);
  assert.is(code, 1);
  assert.match(
    err,
    /is not a home of svc: it has neither home\.json nor state\.db, so svc removes nothing in it\. Is SVC_HOME right\?/,
  );
  const { out } = await line.run(UninstallCommand, ['--yes']);
  assert.match(out, /Removed completion/);
  assert.equal(readdirSync(join(dir, 'project')), ['main.c']);
});

test('while a process has the state and no runner answers, nothing is done', async ({
  dir,
  home,
  line,
}) => {
  const store = openStore({
    file: join(home, 'state.db'),
    pid: 1,
    now: 0,
    clock: () => 0,
    release: '0.2.0',
  });
  const { code, err } = await line.run(UninstallCommand, ['--yes']);
  await store.close();
  assert.is(code, 1);
  assert.match(err, /A process has .*state\.db but does not answer as a runner\. End it first/);
  assert.is(bashrc(dir), `a\n${COMPLETION}`);
});

/** A process that is the runner of the home; at SIGTERM it runs `last` and ends. */
async function startFakeRunner(home: string, last: string) {
  const child = spawn(process.execPath, [
    '-e',
    `process.on('SIGTERM', () => { ${last}; process.exit(0); }); console.log('up'); setInterval(() => {}, 1000);`,
  ]);
  await once(child.stdout, 'data');
  const startedAt = '2026-01-01T00:00:00.000Z';
  const server = await fakeRunner({
    'GET /health': [
      200,
      {
        status: 'ok',
        version: '0.2.0',
        mode: 'local',
        startedAt,
        jobs: { live: 0, parked: 0, ended: 0 },
        deprecatedUses: [],
      },
    ],
    'POST /runner/stop': [404, { title: 'Not found', status: 404, code: 'not-found' }],
    'GET /jobs': [200, []],
  });
  writeFileSync(
    join(home, 'runner.json'),
    JSON.stringify({ url: server.url, pid: child.pid, startedAt }),
  );
  return { pid: child.pid, close: () => server.close() };
}

test('a runner of the home is stopped first, and its home then goes', async ({
  dir,
  home,
  line,
}) => {
  const runner = await startFakeRunner(home, '');
  const { code, out, err } = await line.run(UninstallCommand, ['--purge', '--yes']);
  await runner.close();
  assert.is(code, 0, err);
  assert.match(err, `(process ${runner.pid}); its jobs are kept`);
  assert.match(
    out,
    new RegExp(
      `^Stopped the runner \\(process ${runner.pid}\\)\\.\nRemoved completion.*\nRemoved the home`,
    ),
  );
  assert.equal(readdirSync(dir), ['.bashrc']);
});

test('work that comes between the list and the end of the runner is not lost', async ({
  dir,
  home,
  line,
}) => {
  const file = join(home, 'work', 'job-1', 'notes.txt');
  mkdirSync(join(file, '..'), { recursive: true });
  const runner = await startFakeRunner(
    home,
    `require('fs').writeFileSync(${JSON.stringify(file)}, 'x')`,
  );
  const { code, err } = await line.run(UninstallCommand, ['--purge', '--yes']);
  await runner.close();
  assert.is(code, 1);
  assert.match(
    err,
    /notes\.txt: svc did not create it\n(.*\n)*Error: This was added after the list was shown/,
  );
  assert.is(readFileSync(file, 'utf8'), 'x');
  assert.is(bashrc(dir), `a\n${COMPLETION}`);
});

const createPlan = (home: string, userHome: string, script: string) =>
  buildServicePlan({
    node: '/node',
    script,
    version: '0.2.0',
    home,
    userHome,
    systemUser: null,
    env: {},
  }).plan;

test('the service of the home is found, and those of other homes that run the same program', async ({
  dir,
  home,
}) => {
  const root = join(dir, 'lib');
  const script = join(root, 'run.js');
  const manager = createSystemdManager({
    isSystem: false,
    configDir: dir,
    userName: 'ana',
    run: async () => ({ code: 0, out: '', err: '' }),
  });
  const own = createPlan(home, dir, script);
  const managers = [{ manager, isSystem: false }];
  assert.equal(await findServicesHere(managers, [own], root), { own: [], others: [] });
  const files = [
    own,
    createPlan(join(dir, 'b'), dir, script),
    createPlan(join(dir, 'c'), dir, '/elsewhere/run.js'),
  ].flatMap((plan) => manager.files(plan));
  mkdirSync(join(files[0]?.path ?? '', '..'), { recursive: true });
  for (const { path, content } of files) writeFileSync(path, content);
  const services = await findServicesHere(managers, [own], root);
  assert.equal(
    [services.own.map(({ file }) => file), services.others],
    [[files[0]?.path], [files[1]?.path]],
  );
  // One with the name of ours that svc did not write.
  writeFileSync(files[0]?.path ?? '', '[Unit]\n');
  assert.equal((await findServicesHere(managers, [own], root)).own, []);
});

test('the service of the home is removed by svc uninstall', async ({ dir, home }) => {
  const line = new CommandLine({ SVC_HOME: home, XDG_CONFIG_HOME: dir });
  line.homeDir = dir;
  if (process.platform !== 'linux') return;
  const manager = createSystemdManager({
    isSystem: false,
    configDir: dir,
    userName: 'ana',
    run: async () => ({ code: 0, out: '', err: '' }),
  });
  const plan = createPlan(home, dir, '/run.js');
  const [file] = manager.files(plan);
  assert.ok(file);
  mkdirSync(join(file.path, '..'), { recursive: true });
  writeFileSync(file.path, file.content);
  // Its name is that of a default home: the stub keeps it from the systemd of this machine.
  mkdirSync(join(dir, 'bin'));
  writeFileSync(join(dir, 'bin', 'systemctl'), `#!/bin/sh\necho "$*" >> ${dir}/calls\n`);
  chmodSync(join(dir, 'bin', 'systemctl'), 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${dir}/bin:${path}`;
  try {
    const { out } = await line.run(UninstallCommand, ['--yes']);
    assert.match(out, `Removed the service: ${file.path}\n`);
  } finally {
    process.env.PATH = path;
  }
  assert.is(existsSync(file.path), false);
  assert.is(
    readFileSync(join(dir, 'calls'), 'utf8'),
    '--user disable --now svc.service\n--user daemon-reload\n',
  );
});

test('npm removes a global program; any other is named with what removes it', async ({ dir }) => {
  const prefix = join(dir, 'prefix');
  const root = join(prefix, 'lib/node_modules/@svc/runner');
  mkdirSync(join(root, 'cli/bin'), { recursive: true });
  mkdirSync(join(prefix, 'bin'));
  writeFileSync(join(root, 'cli/bin/run.js'), '');
  const of = async (place: string, platform: NodeJS.Platform = 'linux') => {
    const { command, byHand } = await findInstallation(place, platform);
    return command?.join(' ') ?? byHand;
  };
  assert.is(
    await of(root),
    `This svc is a package of the project ${join(prefix, 'lib')}. In that folder, run: npm uninstall @svc/runner`,
  );
  symlinkSync('../lib/node_modules/@svc/runner/cli/bin/run.js', join(prefix, 'bin/svc'));
  assert.is(await of(root), `npm uninstall --global --prefix ${prefix} @svc/runner`);
  assert.match(await of(root, 'win32'), 'Run: npm uninstall --global @svc/runner');
  assert.match(await of('/src/svc'), 'This svc runs from /src/svc, which npm did not install.');
  assert.match(await of('/home/ana/.npm/_npx/ab/node_modules/@svc/runner'), "is in npx's cache");
  assert.is(
    await of('/home/ana/.local/share/pnpm/global/5/.pnpm/x/node_modules/@svc/runner'),
    'Run: pnpm remove --global @svc/runner',
  );
  assert.is(
    await of('/home/ana/.bun/install/global/node_modules/@svc/runner'),
    'Run: bun remove --global @svc/runner',
  );
  if (process.getuid?.() === 0) return;
  chmodSync(join(prefix, 'bin'), 0o500);
  assert.match(
    await of(root),
    `belongs to another user. Run: sudo npm uninstall --global --prefix ${prefix} @svc/runner`,
  );
});

test('an npm that fails is quoted, with the command to run', async () => {
  const command = ['npm', 'uninstall', '--prefix', '/a b'];
  const refused = await catchRefusal(() =>
    removeProgram(command, async () => ({ code: 1, out: '', err: 'EACCES\n' })),
  );
  assert.is(
    refused.message,
    "The program is still installed: EACCES\nEverything else is done. Run: npm uninstall --prefix '/a b'",
  );
});

test.run();
