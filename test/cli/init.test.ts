import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import DoctorCommand from '../../cli/commands/doctor.ts';
import InitCommand from '../../cli/commands/init.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite<{ home: string; file: string }>('svc init');

test.before.each(async (context) => {
  // The home itself is not there yet.
  context.home = join(await mkdtemp(join(tmpdir(), 'svc-cli-init-')), 'home');
  context.file = join(context.home, 'config.json');
});
test.after.each(({ home }) => rm(join(home, '..'), { recursive: true, force: true }));

const TOKEN = 'glpat-an-example';
const BUDGETS = {
  job: { usd: 10 },
  campaign: { usd: 50 },
  day: { usd: 50 },
  headlessFactor: 0.5,
};

const CLEANUP = { every: '24h' };

const openCommandLine = (home: string, env: Record<string, string> = {}, input = ''): CommandLine =>
  new CommandLine({ SVC_HOME: home, PATH: '/nowhere', ...env }, input);
const readWrittenConfig = async (file: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(file, 'utf8'));

test('without a terminal it asks nothing and writes the caps (CLI-2, CFG-1)', async ({
  home,
  file,
}) => {
  const { code, err } = await openCommandLine(home).run(InitCommand, []);
  assert.is(`${code}${err}`, '0');
  assert.equal(await readWrittenConfig(file), { budgets: BUDGETS, retention: CLEANUP });
});

test('the home and the file are of their owner alone (CLI-2)', async ({ home, file }) => {
  await openCommandLine(home).run(InitCommand, []);
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.is((await stat(home)).mode & 0o777, 0o700);
});

test('svc doctor finds nothing wrong with what is written (CLI-2)', async ({ home }) => {
  const env = { GITLAB_TOKEN: TOKEN };
  await openCommandLine(home, env).run(InitCommand, ['--scm', 'gitlab']);
  const { out } = await openCommandLine(home).run(DoctorCommand, ['--json']);
  const checks: { id: string; status: string }[] = JSON.parse(out).checks;
  const getCheckStatus = (id: string) => checks.find((check) => check.id === id)?.status;
  assert.equal(['config', 'modes', 'forge'].map(getCheckStatus), ['ok', 'ok', 'ok']);
});

test('every flag is written where it belongs (CLI-2, CFG-1)', async ({ home, file }) => {
  const argv = [
    '--scm',
    'bitbucket',
    '--git-username',
    'me@example.org',
    '--git-workspace',
    'acme',
  ];
  const folders = ['--working-dir', join(home, 'jobs'), '--intelligence-dir', join(home, 'team')];
  const remote = ['--intelligence-remote', 'https://git.example.org/team.git', '--local'];
  const rest = ['--git-token', '-', '--api-key', 'sk-a-key'];
  const { code } = await openCommandLine(home, {}, `${TOKEN}\n`).run(InitCommand, [
    ...argv,
    ...folders,
    ...remote,
    ...rest,
  ]);
  assert.is(code, 0);
  assert.equal(await readWrittenConfig(file), {
    budgets: BUDGETS,
    retention: CLEANUP,
    llm: { defaultProvider: 'builtin' },
    plugins: {
      installed: {
        builtin: { config: { apiKey: 'sk-a-key' } },
        bitbucket: { config: { workspace: 'acme', username: 'me@example.org', token: TOKEN } },
      },
    },
    paths: { workingDir: join(home, 'jobs') },
    intelligence: { dir: join(home, 'team'), gitRemote: 'https://git.example.org/team.git' },
  });
});

test('no secret is shown, neither as text nor as JSON (CLI-2)', async ({ home }) => {
  const env = { GITLAB_TOKEN: TOKEN };
  const { out, err } = await openCommandLine(home, env).run(InitCommand, ['--scm', 'gitlab']);
  assert.not.match(out + err, TOKEN);
  assert.match(out, '******** from GITLAB_TOKEN');
  const again = openCommandLine(home, { GITLAB_TOKEN: 'glpat-another-one' });
  const json = await again.run(InitCommand, ['--scm', 'gitlab', '--force', '--json']);
  assert.not.match(json.out, /glpat/);
});

test('a secret on the command line is taken with a warning (CLI-2)', async ({ home }) => {
  const argv = ['--scm', 'gitlab', '--git-token', TOKEN];
  const { code, err } = await openCommandLine(home).run(InitCommand, argv);
  assert.is(code, 0);
  assert.match(err, 'Warning: other programs can read --git-token on the command line.');
});

test('a flag that the forge does not use is named, and the rest is written (CLI-2)', async ({
  home,
  file,
}) => {
  const argv = ['--scm', 'gitlab', '--git-username', 'me', '--git-token', '-'];
  const { code, err } = await openCommandLine(home, {}, `${TOKEN}\n`).run(InitCommand, argv);
  assert.is(code, 0);
  assert.match(err, '--git-username was not written: gitlab does not use it.');
  const { plugins } = JSON.parse(await readFile(file, 'utf8'));
  assert.is(plugins.installed.gitlab.config.token, TOKEN);
  assert.is(plugins.installed.gitlab.config.username, undefined);
});

test('a forge without its token is refused with what to give (CLI-2)', async ({ home, file }) => {
  const { code, err } = await openCommandLine(home).run(InitCommand, ['--scm', 'gitlab']);
  assert.is(code, 2);
  assert.is(
    err,
    'Error: gitlab needs a token: set GITLAB_TOKEN, or give --git-token - and the token on standard input.\n',
  );
  assert.not(existsSync(file));
});

for (const [what, argv, says] of [
  ['an unknown forge', ['--scm', 'gitlub'], 'No forge "gitlub" is known. Known: local, '],
  ['a token of no forge', ['--git-workspace', 'acme'], '--git-workspace needs a forge.'],
  ['both names of the flag', ['--scm', 'local', '--git-provider', 'local'], '--git-provider'],
  [
    'a setting that it lacks',
    ['--scm', 'local', '--git-username', 'me'],
    'has no setting username',
  ],
  ['a folder that is a file', ['--working-dir', '/dev/null'], '/dev/null is not a folder'],
  [
    'a model of an executor that svc does not know',
    ['--agent', 'abacus', '--model', 'one'],
    'svc does not know which setting of abacus holds it',
  ],
  ['an unknown agent', ['--agent', 'abacus'], '--agent abacus is not known'],
  ['no address', ['--intelligence-remote', 'team'], 'intelligence'],
  ['two secrets of one input', ['--api-key', '-', '--git-token', '-'], 'Only one value'],
] as const)
  test(`${what} is refused and nothing is written (CLI-2)`, async ({ home, file }) => {
    const { code, err } = await openCommandLine(home).run(InitCommand, [...argv]);
    assert.is(code, 2);
    assert.match(err, says);
    assert.not(existsSync(file));
  });

test('--git-provider is the older name of --scm (CLI-2)', async ({ home, file }) => {
  const line = openCommandLine(home, { GITLAB_TOKEN: TOKEN });
  const { err } = await line.run(InitCommand, ['--git-provider', 'gitlab']);
  assert.match(err, 'Warning: --git-provider is the older name of --scm.');
  assert.match(await readFile(file, 'utf8'), '"gitlab"');
});

test('a second time there is nothing to change (CLI-2)', async ({ home, file }) => {
  const line = openCommandLine(home, { GITLAB_TOKEN: TOKEN });
  await line.run(InitCommand, ['--scm', 'gitlab']);
  const before = await readFile(file, 'utf8');
  const { code, out } = await line.run(InitCommand, ['--scm', 'gitlab']);
  assert.is(code, 0);
  assert.match(out, `${file} is already up to date.`);
  assert.is(await readFile(file, 'utf8'), before);
});

test('a configuration that exists stays as it is, and what would change is said (CLI-2)', async ({
  home,
  file,
}) => {
  const line = openCommandLine(home);
  await line.run(InitCommand, ['--working-dir', join(home, 'jobs')]);
  const before = await readFile(file, 'utf8');
  const { code, err } = await line.run(InitCommand, ['--working-dir', join(home, 'work')]);
  assert.is(code, 1);
  assert.match(err, `paths.workingDir  ${join(home, 'jobs')} would become ${join(home, 'work')}`);
  assert.is(await readFile(file, 'utf8'), before);
});

test('--force changes these values and nothing else (CLI-2)', async ({ home, file }) => {
  await openCommandLine(home).run(InitCommand, []);
  await writeFile(file, '{ "server": { "port": 4100 },\n  "cloud": { "url": "https://c" } }');
  const { code } = await openCommandLine(home).run(InitCommand, ['--force', '--local']);
  assert.is(code, 0);
  assert.equal(await readWrittenConfig(file), { server: { port: 4100 }, budgets: BUDGETS });
});

for (const [answer, agrees] of [
  ['y', true],
  ['n', false],
  ['', false],
] as const)
  test(`the login of an installed Claude Code is asked for: "${answer}" ${agrees ? 'agrees' : 'does not'} (CFG-5)`, async ({
    home,
    file,
  }) => {
    const dir = join(home, '..');
    await writeFile(join(dir, 'claude'), '#!/bin/sh\necho 2.1.332\n', { mode: 0o755 });
    await writeFile(join(dir, '.credentials.json'), '{}');
    const line = openCommandLine(home, { PATH: dir, CLAUDE_CONFIG_DIR: dir });
    line.answers = ['claude', answer, ...(agrees ? [] : ['']), 'skip', '', ''];
    const { code, err } = await line.run(InitCommand, []);
    assert.is(code, 0);
    assert.equal(line.answers, []);
    assert.match(err, `A login is in ${dir}. Sessions that use it share the limits of its plan`);
    const { plugins } = await readWrittenConfig(file);
    assert.equal(Object(plugins).installed?.claude?.config, agrees ? { loginDir: dir } : undefined);
  });

test('caps that a person has set stay the only ones (CLI-2, CFG-1)', async ({ home, file }) => {
  await openCommandLine(home).run(InitCommand, []);
  const own = '{ "budgets": { "week": { "usd": 5 } } }';
  await writeFile(file, own);
  await openCommandLine(home).run(InitCommand, ['--force']);
  assert.is(await readFile(file, 'utf8'), own);
});

test('a file with mistakes is reported with its place and kept (CLI-2)', async ({ home, file }) => {
  await openCommandLine(home).run(InitCommand, []);
  await writeFile(file, '{ "budgets": 1 }');
  const { code, err } = await openCommandLine(home).run(InitCommand, ['--force']);
  assert.is(code, 2);
  assert.match(err, `${file}:1:14`);
  assert.is(await readFile(file, 'utf8'), '{ "budgets": 1 }');
});

test('at a terminal it asks what no flag gives (CLI-2)', async ({ home, file }) => {
  const line = openCommandLine(home);
  const agent = ['builtin', '', 'a-model', 'sk-a-key'];
  line.answers = [...agent, 'gitlub', 'gitlab', TOKEN, 'acme', '', ''];
  const { code } = await line.run(InitCommand, []);
  assert.is(code, 0);
  assert.equal(line.answers, []);
  const { llm, plugins } = await readWrittenConfig(file);
  assert.equal(llm, { defaultProvider: 'builtin' });
  assert.equal(plugins, {
    installed: {
      builtin: { config: { model: 'a-model', apiKey: 'sk-a-key' } },
      gitlab: { config: { token: TOKEN, workspace: 'acme' } },
    },
  });
});

test('Enter at every question is an answer, and the wizard is done (CLI-2, CFG-5)', async ({
  home,
  file,
}) => {
  const line = openCommandLine(home);
  line.answers = ['', '', '', ''];
  assert.is((await line.run(InitCommand, [])).code, 0);
  assert.equal(await readWrittenConfig(file), {
    budgets: BUDGETS,
    retention: CLEANUP,
    setup: { skipped: ['llm', 'scm', 'tracker'], completedAt: '2026-01-01T12:00:00.000Z' },
  });
});

test('the wizard that is done asks nothing and changes nothing; it says what is set up (CFG-5)', async ({
  home,
  file,
}) => {
  const line = openCommandLine(home);
  line.answers = ['', '', '', ''];
  await line.run(InitCommand, []);
  const before = await readFile(file, 'utf8');
  line.answers = [];
  const { code, out } = await line.run(InitCommand, []);
  assert.is(code, 0);
  assert.match(out, `${file} is already up to date.`);
  assert.match(out, 'Model: skipped');
  assert.match(out, 'Caps: Jobs stop and ask at $10.00 a job, $50.00 a campaign, $50.00 a day');
  assert.is(await readFile(file, 'utf8'), before);
});

test('Ctrl-C at any question loses no answer before it; the next time continues from there (CFG-5)', async ({
  home,
  file,
}) => {
  const [shop, line] = [join(home, '..', 'shop'), openCommandLine(home)];
  execFileSync('git', ['init', '--quiet', shop]);
  const answers = ['claude', 'sk-a-key', 'local', shop, 'linear', 'lin-a-key', 'dec-a-key'];
  const remaining = [...answers];
  // Each time it is stopped at the second question; those of one step belong together.
  for (const count of [2, 2, 2]) {
    line.answers = [...remaining.splice(0, count), null];
    const { code, err } = await line.run(InitCommand, []);
    assert.is(code, 130);
    assert.match(err, 'Stopped. Your answers are saved; run svc init to continue.');
  }
  line.answers = remaining;
  assert.is((await line.run(InitCommand, [])).code, 0);
  const { llm, forges, plugins, decision, setup } = await readWrittenConfig(file);
  assert.equal(llm, { defaultProvider: 'claude' });
  assert.equal(forges, { local: { repos: { shop } } });
  assert.equal(Object(plugins).installed.linear, { config: { apiKey: 'lin-a-key' } });
  assert.equal(Object(plugins).installed.claude.config.apiKey, 'sk-a-key');
  assert.equal(decision, { apiKey: 'dec-a-key', mode: 'shadow' });
  assert.equal(setup, { completedAt: '2026-01-01T12:00:00.000Z' });
});

test('what is refused is said, and the step is asked again (CFG-5)', async ({ home }) => {
  const line = openCommandLine(home);
  line.answers = ['skip', 'local', '/nowhere/at/all', 'skip', '', ''];
  const { code, err } = await line.run(InitCommand, []);
  assert.is(code, 0);
  assert.match(err, '/nowhere/at/all does not exist');
  assert.equal(line.answers, []);
});

test('--agent sets up an executor without questions, and --skip leaves the rest; the wizard is then done (CLI-2, CFG-5)', async ({
  home,
  file,
}) => {
  const skips = ['--skip', 'scm', '--skip', 'tracker'];
  const argv = ['--agent', 'acp:gemini', '--api-key', '-', ...skips];
  const { code, out } = await openCommandLine(home, {}, 'sk-a-key').run(InitCommand, argv);
  assert.is(code, 0);
  assert.match(out, 'npm install -g @google/gemini-cli');
  const { llm, plugins, setup } = await readWrittenConfig(file);
  assert.equal(llm, { defaultProvider: 'acp:gemini' });
  assert.equal(plugins, { installed: { acp: { config: { geminiApiKey: 'sk-a-key' } } } });
  assert.equal(setup, { skipped: ['scm', 'tracker'], completedAt: '2026-01-01T12:00:00.000Z' });
});

test('scopes that a token lacks are said beside what was written (CFG-5)', async ({ home }) => {
  const line = openCommandLine(home, { GITHUB_TOKEN: 'ghp_a_token_of_a_person' });
  line.fetch = async () =>
    Response.json({ login: 'ana', type: 'User' }, { headers: { 'X-OAuth-Scopes': 'gist' } });
  const { code, out, err } = await line.run(InitCommand, ['--scm', 'github']);
  assert.is(code, 0);
  assert.match(err, 'The token has no repo scope on github.com');
  assert.match(out, 'plugins.installed.github.config.selfIsPerson');
  assert.not.match(out + err, 'ghp_a_token');
});

test('--first-job without a runner says how to start one, and what was set up stays (CLI-2)', async ({
  home,
  file,
}) => {
  const argv = ['--first-job', 'Add a health check', '--repo', 'shop'];
  const { code, err } = await openCommandLine(home).run(InitCommand, argv);
  assert.is(code, 5);
  assert.match(err, 'Start one with: svc start');
  assert.equal((await readWrittenConfig(file)).budgets, BUDGETS);
});

test('--first-job needs a repository where it is open which (CLI-2)', async ({ home }) => {
  const { code, err } = await openCommandLine(home).run(InitCommand, [
    '--first-job',
    'Add a health check',
  ]);
  assert.is(code, 2);
  assert.match(err, '--first-job needs --repo: no repository on this disk is set up.');
});

test('at a terminal a person agrees to changes of a configuration, or declines (CLI-2)', async ({
  home,
  file,
}) => {
  await openCommandLine(home).run(InitCommand, [
    '--skip',
    'llm',
    '--skip',
    'scm',
    '--skip',
    'tracker',
  ]);
  const line = openCommandLine(home);
  const argv = ['--working-dir', join(home, 'jobs')];
  line.answers = ['n'];
  assert.is((await line.run(InitCommand, argv)).code, 1);
  assert.equal((await readWrittenConfig(file)).paths, undefined);
  line.answers = ['y'];
  assert.is((await line.run(InitCommand, argv)).code, 0);
  assert.equal((await readWrittenConfig(file)).paths, { workingDir: join(home, 'jobs') });
});

test.run();
