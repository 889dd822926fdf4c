import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import PluginAuthCommand from '../../cli/commands/plugin/auth.ts';
import PluginHealthcheckCommand from '../../cli/commands/plugin/healthcheck.ts';
import PluginInitCommand from '../../cli/commands/plugin/init.ts';
import PluginInstallCommand from '../../cli/commands/plugin/install.ts';
import PluginListCommand from '../../cli/commands/plugin/list.ts';
import PluginModelsCommand from '../../cli/commands/plugin/models.ts';
import ConfigSetCommand from '../../cli/commands/config/set.ts';
import PluginTestCommand from '../../cli/commands/plugin/test.ts';
import PluginUninstallCommand from '../../cli/commands/plugin/uninstall.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { PLUGIN } from '../support/http/fakePlugins.ts';
import { type FakeRunner, fakeRunner } from '../support/http/fakeRunner.ts';
import { greeter, formatPackageJson, PluginHome, writeFiles } from '../support/pluginFolder.ts';

const unhealthy = {
  ...PLUGIN,
  health: { ...PLUGIN.health, state: 'unhealthy', detail: 'it\u001b[31m broke\nhere' },
};
const report = {
  id: 'hello',
  passed: false,
  cases: [
    { name: 'manifest-is-true', promise: 'It can be created.', outcome: 'passed', detail: '' },
    {
      name: 'session-ends-with-result',
      promise: 'It ends.',
      outcome: 'failed',
      detail: 'it did not',
    },
  ],
};

const FOUND = { setting: 'apiKey', env: 'HELLO_KEY' };

const test = suite<{ home: string; runner: FakeRunner; line: CommandLine }>('commands on plugins');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-plugins-'));
  context.runner = await fakeRunner({
    'GET /health': [200, {}],
    'GET /plugins': [200, [unhealthy]],
    'POST /plugins/install': [201, PLUGIN],
    'GET /plugins/hello/jobs': [200, []],
    'DELETE /plugins/hello': [204, ''],
    'GET /plugins/hello/models': [200, [{ id: 'small', title: 'The small one' }]],
    'POST /plugins/hello/healthcheck': [200, PLUGIN.health],
    'POST /test/plugin/hello': [200, report],
    'POST /config/plugins/hello/auth/detect': [200, [FOUND]],
    'POST /config/plugins/hello/auth/detect/apply': [
      200,
      { applied: [FOUND], restart: ['plugins.installed.hello.config.apiKey'] },
    ],
  });
  context.line = new CommandLine({ SVC_HOME: context.home, SVC_URL: context.runner.url });
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

test('svc plugin list is a table, without what could play with the terminal (CLI-4)', async ({
  line,
}) => {
  const { out, code } = await line.run(PluginListCommand, []);
  assert.is(code, 0);
  assert.match(
    out,
    /^ID +KIND +VERSION +ORIGIN +HEALTH +TITLE\nhello +executor +1\.0\.0 +installed +unhealthy +Says hello\n\nUnhealthy\n {2}hello: it broke/,
  );
  assert.not.ok(out.includes('\u001b'));
});

test('svc plugin install sends a name as it is and a path in full, and never asks for scripts by itself (CLI-4)', async ({
  line,
  runner,
}) => {
  const installed = await line.run(PluginInstallCommand, [
    'svc-plugin-hello@1.0.0',
    '--id',
    'hello',
  ]);
  assert.equal(installed, {
    code: 0,
    out: 'plugin  hello 1.0.0\nkind    executor\ntitle   Says hello\nhealth  healthy\n',
    err: '',
  });
  await line.run(PluginInstallCommand, ['./hello', '--allow-scripts']);
  const bodies = runner.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);
  assert.equal(bodies, [
    { spec: 'svc-plugin-hello@1.0.0', id: 'hello' },
    { spec: resolve('hello'), allowScripts: true },
  ]);
});

test('svc plugin models, healthcheck and uninstall say what the runner says', async ({ line }) => {
  assert.is(
    (await line.run(PluginModelsCommand, ['hello'])).out,
    'MODEL  TITLE\nsmall  The small one\n',
  );
  assert.is((await line.run(PluginHealthcheckCommand, ['hello'])).out, 'healthy\n');
  assert.is((await line.run(PluginUninstallCommand, ['hello'])).out, 'hello is removed\n');
});

test('svc plugin uninstall without a runner removes the secrets of the plugin, and names them (CLI-4, CFG-2)', async ({
  home,
}) => {
  const settings = {
    token: { type: 'string', secret: true, description: 'The token.' },
    size: { type: 'integer', description: 'How large.' },
  };
  writeFiles(join(home, 'plugins', 'own'), {
    'package.json': formatPackageJson('own', { settings }),
    'index.js': greeter(),
  });
  const config = { token: 'a-secret-token', size: 3 };
  const file = join(home, 'config.json');
  await writeFile(file, JSON.stringify({ plugins: { installed: { own: { config } } } }));
  const result = await new CommandLine({ SVC_HOME: home }).run(PluginUninstallCommand, ['own']);
  assert.equal(result, {
    code: 0,
    out: 'own is removed\n',
    err: 'Also removed from the configuration: plugins.installed.own.config.token.\nOnly its settings are left; remove them: svc config set plugins.installed.own --unset\n',
  });
  const { installed } = JSON.parse(await readFile(file, 'utf8')).plugins;
  assert.equal(installed, { own: { config: { size: 3 } } });
});

test('svc plugin uninstall lists the jobs that need the plugin, asks at a terminal, and does what a script says (CLI-4)', async ({
  home,
}) => {
  const jobs = [
    { id: 'shop-job-1', status: 'awaiting-pr-merge', needs: ['pull request hello:acme/shop#7'] },
  ];
  const runner = await fakeRunner({
    'GET /health': [200, {}],
    'GET /plugins': [200, []],
    'GET /plugins/hello/jobs': [200, jobs],
    'DELETE /plugins/hello': [204, ''],
  });
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  const jobList =
    '1 job needs hello, and cannot continue until it is installed again:\nJOB         STATUS             NEEDS\nshop-job-1  awaiting-pr-merge  pull request hello:acme/shop#7\n';
  line.answers = ['n'];
  const refusal = await line.run(PluginUninstallCommand, ['hello']);
  assert.is(refusal.code, 1);
  assert.is(refusal.err, `${jobList}Remove hello? [y/N] Nothing was removed.\n`);
  assert.is(
    runner.seen.some(({ method }) => method === 'DELETE'),
    false,
  );
  for (const argv of [['hello'], ['hello', '--yes']]) {
    const script = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    const result = await script.run(PluginUninstallCommand, argv);
    assert.equal(result, { code: 0, out: 'hello is removed\n', err: jobList });
  }
  await runner.close();
});

test('svc plugin auth names variables, and says that what it took counts from the next start (HTTP-6)', async ({
  line,
  runner,
}) => {
  assert.equal(await line.run(PluginAuthCommand, ['hello']), {
    code: 0,
    out: 'SETTING  VARIABLE\napiKey   HELLO_KEY\n',
    err: '',
  });
  const applied = await line.run(PluginAuthCommand, ['hello', '--apply', '--setting', 'apiKey']);
  assert.equal(applied, {
    code: 0,
    out: 'SETTING  VARIABLE\napiKey   HELLO_KEY\nWritten to the configuration. Takes effect after svc restart: plugins.installed.hello.config.apiKey.\n',
    err: '',
  });
  assert.equal(runner.seen.at(-1)?.body, { settings: ['apiKey'] });
});

test('svc plugin test names what fails, and ends with 1', async ({ line }) => {
  assert.equal(await line.run(PluginTestCommand, ['hello']), {
    code: 1,
    out: 'pass  manifest-is-true  It can be created.\nFAIL  session-ends-with-result  It ends.\n      it did not\n',
    err: '2 cases: 1 passed, 1 failed, 0 skipped\n',
  });
});

test('without a runner the commands work on the folder of the home (CLI-4)', async ({ home }) => {
  using plugins = new PluginHome();
  const line = new CommandLine({ SVC_HOME: home, PATH: process.env.PATH ?? '', HOME: home });
  const spec = plugins.executorTarball('greeter', greeter());
  assert.match((await line.run(PluginInstallCommand, [spec])).out, /^plugin {2}greeter 1\.0\.0\n/);
  assert.match(
    (await line.run(PluginListCommand, [])).out,
    /\ngreeter +executor +1\.0\.0 +installed +healthy/,
  );
  assert.is((await line.run(PluginTestCommand, ['greeter'])).code, 0);
  assert.is((await line.run(PluginUninstallCommand, ['greeter'])).code, 0);
  assert.equal((await line.run(PluginUninstallCommand, ['greeter'])).code, 3);
});

test('without a runner a forge is as healthy as it is known to be (CLI-4)', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home, PATH: process.env.PATH ?? '', HOME: home });
  await line.run(ConfigSetCommand, ['plugins.installed.gitlab.enabled', 'false']);
  await line.run(ConfigSetCommand, ['plugins.installed.bitbucket.config.pollSeconds', '30']);
  const { out } = await line.run(PluginListCommand, []);
  assert.match(out, /\nlocal +scm .* healthy /);
  assert.match(out, /\ngithub +scm .* disabled +Pull requests of GitHub/);
  assert.match(out, /\ngitlab +scm .* disabled +Merge requests of GitLab/);
  assert.match(out, /\nbitbucket +scm .* unhealthy +Pull requests of Bitbucket Cloud\n/);
  assert.match(out, /\n\nUnhealthy\n {2}bitbucket: plugins\.installed\.bitbucket\.config.*token/);
});

test('the first install of a plugin with required settings succeeds and prints the commands that set them (CLI-4)', async ({
  home,
}) => {
  using plugins = new PluginHome();
  const line = new CommandLine({ SVC_HOME: home, PATH: process.env.PATH ?? '', HOME: home });
  const settings = {
    baseUrl: { type: 'string', description: 'Address of the server.', required: true },
    token: { type: 'string', description: 'Token of the account.', required: true, secret: true },
    login: { type: 'string', description: 'Name of the account.', required: true },
    page: { type: 'integer', description: 'Size of a page.', required: true, default: 50 },
  };
  const spec = plugins.executorTarball('minihub', greeter(), { settings });
  // Before it is installed: what is set already is not asked for.
  await line.run(ConfigSetCommand, ['plugins.installed.minihub.config.login', 'svc']);
  const { code, out, err } = await line.run(PluginInstallCommand, [spec]);
  assert.is(code, 0, err);
  assert.match(out, /health {2}unhealthy: settings are missing\n/);
  assert.is(
    err,
    [
      'minihub is installed. Set the required values; they take effect immediately:',
      '  svc config set plugins.installed.minihub.config.baseUrl <string>  Address of the server.',
      '  svc config set plugins.installed.minihub.config.token - < file    Token of the account.',
      '',
    ].join('\n'),
  );
});

test('svc plugin init writes the folder and says what comes next', async ({ line, home }) => {
  const { out, err } = await line.run(PluginInitCommand, ['greeter', '--dir', join(home, 'new')]);
  assert.equal(out.split('\n').slice(0, 3), ['package.json', 'tsconfig.json', 'src/contract.ts']);
  assert.match(err, /npm install && npm run build && npm test, then svc plugin install \.\n$/);
  assert.is((await line.run(PluginInitCommand, ['Bad Id'])).code, 2);
});

test.run();
