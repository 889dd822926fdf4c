import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ConfigGetCommand from '../../cli/commands/config/get.ts';
import ConfigPathCommand from '../../cli/commands/config/path.ts';
import ConfigSchemaCommand from '../../cli/commands/config/schema.ts';
import ConfigSetCommand from '../../cli/commands/config/set.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';
import { greeter, formatPackageJson, writeFiles } from '../support/pluginFolder.ts';

const test = suite<{ home: string; file: string }>('svc config');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-config-'));
  context.file = join(context.home, 'config.json');
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const run = (
  home: string,
  command: Parameters<CommandLine['run']>[0],
  argv: string[],
  input = '',
  env = {},
) => new CommandLine({ SVC_HOME: home, ...env }, input).run(command, argv);

test('svc config get shows a value, a section with its origins, and no secret (CLI-4)', async ({
  home,
  file,
}) => {
  await writeFile(
    file,
    '{ "server": { "port": 4100 },\n  "decision": { "apiKey": "a-secret-key" } }',
  );
  assert.equal(await run(home, ConfigGetCommand, ['server.port']), {
    code: 0,
    out: '4100\n',
    err: '',
  });
  const { out } = await run(home, ConfigGetCommand, ['server', '--show-origin']);
  assert.is(
    out,
    [
      'KEY          VALUE      ORIGIN',
      'server.auth  auto       default',
      'server.host  127.0.0.1  default',
      `server.port  4100       file ${file}:1:23`,
      '',
    ].join('\n'),
  );
  const all = await run(home, ConfigGetCommand, ['--json', '--show-origin']);
  assert.not.match(all.out, 'a-secret-key');
  assert.equal(
    JSON.parse(all.out).find(({ key }: { key: string }) => key === 'decision.apiKey'),
    { key: 'decision.apiKey', value: '********', origin: 'file', from: `${file}:2:27` },
  );
});

test('an unknown key is not found, with what was probably meant (CLI-4)', async ({ home }) => {
  assert.equal(await run(home, ConfigGetCommand, ['server.prt']), {
    code: 3,
    out: '',
    err: 'Error: No value server.prt is set. Did you mean server.port?\n',
  });
});

test('svc config set changes one value of the file; a name with dots is written as a pointer (CLI-4)', async ({
  home,
  file,
}) => {
  assert.equal(await run(home, ConfigSetCommand, ['server.port', '4100']), {
    code: 0,
    out: `Written to ${file}.\n`,
    err: '',
  });
  await run(home, ConfigSetCommand, ['tenant.displayName', '42']);
  await run(home, ConfigSetCommand, ['/forges/local/repos/docs.v2', '/srv/docs']);
  await run(home, ConfigSetCommand, ['llm.aliases.coding', '{"model":"large"}']);
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    server: { port: 4100 },
    tenant: { displayName: '42' },
    forges: { local: { repos: { 'docs.v2': '/srv/docs' } } },
    llm: { aliases: { coding: { model: 'large' } } },
  });
  assert.is(
    (await run(home, ConfigSetCommand, ['server.port', '4100'])).out,
    `Already set: server.port. ${file} is unchanged.\n`,
  );
  await run(home, ConfigSetCommand, ['server.port', '--unset']);
  assert.is(JSON.parse(await readFile(file, 'utf8')).server, undefined);
});

test('pairs with the same value, or a value that is a key of another pair, stay as they were given (CLI-4)', async ({
  home,
  file,
}) => {
  const pairs = ['llm.aliases.planning.model', 'm', 'plugins.installed.builtin.config.model', 'm'];
  const { code, err } = await run(home, ConfigSetCommand, pairs);
  assert.is(code, 0, err);
  await run(home, ConfigSetCommand, [
    'tenant.displayName',
    'llm.defaultProvider',
    'llm.defaultProvider',
    'builtin',
  ]);
  const { llm, plugins, tenant } = JSON.parse(await readFile(file, 'utf8'));
  assert.equal(llm, { aliases: { planning: { model: 'm' } }, defaultProvider: 'builtin' });
  assert.is(plugins.installed.builtin.config.model, 'm');
  assert.is(tenant.displayName, 'llm.defaultProvider');
});

test('svc config set makes the home where it does not exist yet (CLI-4)', async ({ home }) => {
  const later = join(home, 'later', '.svc');
  const { code } = await run(later, ConfigSetCommand, ['runner.maxConcurrentJobs', '4']);
  assert.is(code, 0);
  assert.equal(JSON.parse(await readFile(join(later, 'config.json'), 'utf8')), {
    runner: { maxConcurrentJobs: 4 },
  });
});

test('several keys are written together, or none of them (CLI-4)', async ({ home, file }) => {
  const { code } = await run(home, ConfigSetCommand, [
    'llm.defaultProvider',
    'acp:opencode',
    'server.port',
    '4100',
  ]);
  assert.is(code, 0);
  const written =
    '{\n  "llm": {\n    "defaultProvider": "acp:opencode"\n  },\n  "server": {\n    "port": 4100\n  }\n}\n';
  assert.equal(JSON.parse(await readFile(file, 'utf8')), JSON.parse(written));
  assert.is(
    (await run(home, ConfigSetCommand, ['server.port', '4200', 'server.prot', '1'])).code,
    2,
  );
  assert.is((await run(home, ConfigSetCommand, ['server.port', '4200', 'server.host'])).code, 2);
  assert.is(
    (await run(home, ConfigSetCommand, ['decision.apiKey', '-', 'cloud.token', '-'], 'x')).code,
    2,
  );
  assert.equal(JSON.parse(await readFile(file, 'utf8')), JSON.parse(written));
  await run(home, ConfigSetCommand, ['server.port', '4200', 'decision.apiKey', '-'], 'a-secret\n');
  const { server, decision } = JSON.parse(await readFile(file, 'utf8'));
  assert.equal(server.port, 4200);
  assert.equal(decision.apiKey, 'a-secret');
});

test('a mistake is refused with its place, and the file stays as it is (CLI-4)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  assert.equal(await run(home, ConfigSetCommand, ['server.prot', '4100']), {
    code: 2,
    out: '',
    err: 'Error: The change is not valid. The configuration was not changed.\n  /server/prot  Unknown key "prot" in server. Did you mean "port"?\n',
  });
  assert.is(
    (await run(home, ConfigSetCommand, ['server.port'])).err,
    'Error: Give a value, or --unset.\n',
  );
  assert.is(await readFile(file, 'utf8'), '{}');
});

test('a secret is taken from standard input alone (CLI-4)', async ({ home, file }) => {
  for (const [key, value] of [
    ['decision.apiKey', 'sk-typed'],
    ['plugins.installed.github.config.token', 'sk-typed'],
    ['cloud.url', 'https://ana:sk-typed@cloud.example.org'],
    ['mcpServers.docs', '{"type":"stdio","command":"d","env":{"K":"sk-typed"}}'],
  ] as const) {
    const { code, err } = await run(home, ConfigSetCommand, [key, value]);
    assert.is(code, 2, key);
    assert.match(err, `svc config set ${key} - < file`);
    assert.not.match(err, 'sk-typed');
  }
  await run(home, ConfigSetCommand, ['decision.apiKey', '-'], 'sk-piped\n');
  await run(home, ConfigSetCommand, ['plugins.installed.github.config.token', '-'], '12345678\n');
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    decision: { apiKey: 'sk-piped' },
    plugins: { installed: { github: { config: { token: '12345678' } } } },
  });
});

test('settings of the plugins that are part of svc are known: those that are no secret may be typed (CFG-2)', async ({
  home,
  file,
}) => {
  const config = 'plugins.installed.builtin.config';
  await run(home, ConfigSetCommand, [`${config}.baseUrl`, 'http://127.0.0.1:11434']);
  await run(home, ConfigSetCommand, [`${config}.maxTurns`, '50']);
  assert.is((await run(home, ConfigSetCommand, [`${config}.apiKey`, 'sk-typed'])).code, 2);
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    plugins: {
      installed: { builtin: { config: { baseUrl: 'http://127.0.0.1:11434', maxTurns: 50 } } },
    },
  });
});

test('settings of an installed plugin are known by its manifest: only what it calls secret may not be typed (CFG-2)', async ({
  home,
  file,
}) => {
  const settings = {
    file: { type: 'string', description: 'The file.' },
    key: { type: 'string', description: 'The key.', secret: true },
  };
  const dir = join(home, 'plugins', 'trk');
  writeFiles(dir, {
    'package.json': formatPackageJson('trk', { settings }),
    'index.js': greeter(),
  });
  const config = 'plugins.installed.trk.config';
  assert.is((await run(home, ConfigSetCommand, [`${config}.file`, '/tmp/issues.json'])).code, 0);
  const typed = await run(home, ConfigSetCommand, [`${config}.key`, 'plain']);
  assert.equal(typed.code, 2);
  assert.match(typed.err, /may hold a secret/);
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    plugins: { installed: { trk: { config: { file: '/tmp/issues.json' } } } },
  });
});

test('a plugin can be configured before it is installed, except what looks like a secret (CFG-2)', async ({
  home,
  file,
}) => {
  const config = 'plugins.installed.minihub.config';
  const set = await run(home, ConfigSetCommand, [`${config}.baseUrl`, 'http://127.0.0.1:4780']);
  assert.is(set.code, 0, set.err);
  assert.is((await run(home, ConfigSetCommand, [`${config}.pageSize`, '50'])).code, 0);
  for (const [name, value] of [
    ['token', 'plain'],
    ['login', 'sk-ant-api03-9f8e7d6c5b4a39281706'],
  ] as const) {
    const typed = await run(home, ConfigSetCommand, [`${config}.${name}`, value]);
    assert.is(typed.code, 2, name);
    assert.match(
      typed.err,
      `${config}.${name} looks like a secret: minihub is not installed, so svc does not know.`,
    );
  }
  assert.is((await run(home, ConfigSetCommand, [`${config}.token`, '-'], 'sk-piped\n')).code, 0);
  assert.equal(JSON.parse(await readFile(file, 'utf8')).plugins.installed.minihub, {
    config: { baseUrl: 'http://127.0.0.1:4780', pageSize: 50, token: 'sk-piped' },
  });
});

test('a setting that an installed plugin does not have is refused with those that it has', async ({
  home,
}) => {
  const settings = { file: { type: 'string', description: 'The file.' } };
  writeFiles(join(home, 'plugins', 'trk'), {
    'package.json': formatPackageJson('trk', { settings }),
    'index.js': greeter(),
  });
  const { code, err } = await run(home, ConfigSetCommand, [
    'plugins.installed.trk.config.fil',
    '/tmp/issues.json',
  ]);
  assert.is(code, 2);
  assert.is(err, 'Error: The plugin trk has no setting fil. Did you mean file?\n');
});

test('a value that is taken out leaves no empty section; an entry of a map stays, it means something (CLI-4)', async ({
  home,
  file,
}) => {
  const set = (...argv: string[]) => run(home, ConfigSetCommand, argv);
  await set('llm.defaultProvider', 'builtin', 'server.port', '4000');
  await set('llm.defaultProvider', '--unset');
  assert.equal(JSON.parse(await readFile(file, 'utf8')), { server: { port: 4000 } });
  await set('plugins.installed.builtin.config.maxTurns', '50');
  await set('plugins.installed.builtin.config.maxTurns', '--unset');
  assert.equal(JSON.parse(await readFile(file, 'utf8')).plugins, { installed: { builtin: {} } });
  await set('plugins.installed.builtin', '--unset');
  assert.equal(JSON.parse(await readFile(file, 'utf8')), { server: { port: 4000 } });
});

test('where a runner answers, it is asked and it writes (CLI-4)', async ({ home }) => {
  const reply = {
    file: '/r/config.json',
    config: {},
    values: [],
    warnings: [],
    restart: ['server.port'],
  };
  const health = { status: 'ok' };
  const runner = await fakeRunner({
    'GET /health': [200, health],
    'GET /config': [200, reply, { etag: '"1"' }],
    'PUT /config': [200, reply, { etag: '"2"' }],
  });
  try {
    const result = await run(home, ConfigSetCommand, ['server.port', '4100'], '', {
      SVC_URL: runner.url,
    });
    assert.equal(result, {
      code: 0,
      out: 'Written to /r/config.json.\nTakes effect after svc restart: server.port.\n',
      err: '',
    });
    assert.equal(
      runner.seen.map(({ method, path, body }) => [method, path, body]),
      [
        ['GET', '/health', null],
        ['GET', '/config', null],
        ['PUT', '/config', { server: { port: 4100 } }],
      ],
    );
  } finally {
    await runner.close();
  }
});

test('an invalid file is reported with line and column, and its path is still printed (CFG-1)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{\n  "server": {,}\n}');
  const { code, err } = await run(home, ConfigGetCommand, []);
  assert.is(code, 2);
  assert.match(err, `${file}:2:14`);
  assert.equal(await run(home, ConfigPathCommand, []), { code: 0, out: `${file}\n`, err: '' });
});

test('svc config schema prints a JSON Schema in which what has a default may be left out (CFG-1)', async ({
  home,
}) => {
  const schema = JSON.parse((await run(home, ConfigSchemaCommand, [])).out);
  assert.is(schema.$schema, 'http://json-schema.org/draft-07/schema#');
  assert.is('required' in schema, false);
  assert.equal(schema.properties.server.properties.port, {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port to listen on; 0 = any free one.',
  });
  assert.equal(schema.properties.git.required, ['provider']);
  assert.is(schema.properties.decision.properties.apiKey.secret, true);
});

test.run();
