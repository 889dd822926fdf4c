import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ConfigService,
  type ConfigServiceOptions,
} from '../../../src/host/config/configService.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { FULL_CONFIG, SECRETS } from '../../support/fullConfig.ts';
import { catchRefusal } from '../../support/refusal.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));

const test = suite<{ home: string; file: string }>('configuration service');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-config-'));
  context.file = join(context.home, 'config.json');
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

let drafts = 0;

function createService(
  home: string,
  more: Partial<ConfigServiceOptions> = {},
  env: Record<string, string> = {},
  flags = {},
): ConfigService {
  const sources = {
    env: { SVC_HOME: home, ...env },
    homeDir: '/home/ana',
    flags,
    packageRoot,
    hostName: 'ana-laptop',
  };
  return new ConfigService({ sources, createDraftName: () => `draft-${++drafts}`, ...more });
}

const FULL_TEXT = JSON.stringify(FULL_CONFIG, null, 2);

/** Every pair of section and value, `a.b: value`. */
const sections = Object.entries(FULL_CONFIG);

test('no secret of any section is in what is shown (HTTP-5)', async ({ home, file }) => {
  await writeFile(file, FULL_TEXT);
  const { reply } = await createService(home).read();
  const text = JSON.stringify(reply);
  assert.equal(
    SECRETS.filter((secret) => text.includes(secret)),
    [],
  );
  assert.is(text.split('********').length > SECRETS.length, true);
});

test('what was read and is sent back whole leaves the file as it is, byte for byte (HTTP-5)', async ({
  home,
  file,
}) => {
  await writeFile(file, FULL_TEXT);
  const service = createService(home);
  const { etag, reply } = await service.read();
  assert.equal((await service.change(reply.config, etag)).etag, etag);
  assert.is(await readFile(file, 'utf8'), FULL_TEXT);
});

for (const [name, section] of sections) {
  test(`the section ${name} goes through PUT and GET and keeps its secrets (HTTP-5 CFG-1)`, async ({
    home,
    file,
  }) => {
    await writeFile(file, '{}');
    const service = createService(home);
    const first = await service.read();
    const written = await service.change({ [name]: section }, first.etag);
    const fileConfig = JSON.parse(await readFile(file, 'utf8'));
    // A value that is equal to the default is not written.
    const { config } = await loadSettings({
      env: { SVC_HOME: home },
      homeDir: '/home/ana',
      flags: {},
      packageRoot,
    });
    assert.equal(Object(config)[name], section);
    const back = await service.change({ [name]: written.reply.config[name] }, written.etag);
    assert.is(back.etag, written.etag);
    assert.equal(JSON.parse(await readFile(file, 'utf8')), fileConfig);
  });
}

test('a change touches its own place alone: order, layout, secrets and what the client did not send stay (HTTP-5)', async ({
  home,
  file,
}) => {
  const text = `{
  "server":   { "port": 4000,
                "host": "127.0.0.2" },
  "mcpServers": { "docs": { "type": "stdio", "command": "docs", "env": { "K": "a-secret" }, "later": [1, { "x": 2 }] } }
}`;
  await writeFile(file, text);
  const service = createService(home);
  const { etag } = await service.read();
  const patch = {
    server: { port: 4001 },
    mcpServers: { docs: { env: { K: '********' }, enabled: false } },
  };
  await service.change(patch, etag);
  const after = await readFile(file, 'utf8');
  assert.match(after, '"server":   { "port": 4001,\n                "host": "127.0.0.2" },');
  assert.equal(JSON.parse(after).mcpServers.docs, {
    type: 'stdio',
    command: 'docs',
    env: { K: 'a-secret' },
    later: [1, { x: 2 }],
    enabled: false,
  });
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await readdir(home), ['config.json']);
});

test('a secret is replaced by another one and taken out by null (HTTP-5)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{ "decision": { "apiKey": "the-old-key", "provider": "other" } }');
  const service = createService(home);
  const first = await service.change({ decision: { apiKey: 'the-new-key' } }, '*');
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    decision: { apiKey: 'the-new-key', provider: 'other' },
  });
  await service.change({ decision: { apiKey: null } }, first.etag);
  assert.equal(JSON.parse(await readFile(file, 'utf8')), { decision: { provider: 'other' } });
});

test('taking out what holds by default alone changes nothing, and makes no file (HTTP-5)', async ({
  home,
}) => {
  const service = createService(home);
  const { etag } = await service.read();
  assert.is(
    (await service.change({ server: { port: null }, cloud: { token: null }, git: null }, etag))
      .etag,
    etag,
  );
  assert.equal(await readdir(home), []);
});

test('stars where no secret is stored are refused: they would be kept as the secret (HTTP-5)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  const refusal = await catchRefusal(() =>
    createService(home).change({ cloud: { token: '********' } }, '*'),
  );
  assert.equal(refusal.code, 'invalid');
  assert.equal(refusal.errors, [
    {
      pointer: '/cloud/token',
      message: 'is ********, but no secret is stored there to keep; send the secret itself',
    },
  ]);
  assert.is(await readFile(file, 'utf8'), '{}');
});

test('every error in a change is reported with its JSON pointer, and the file stays as it is (HTTP-5 CFG-1)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{ "server": { "port": 1 } }');
  const patch = {
    server: { port: 'x', prot: 1 },
    mcpServers: { svc: { type: 'http', url: 'https://a' } },
    runer: {},
    guardrails: { rules: [{}] },
    plugins: { installed: { 'Bad/Id': {} } },
  };
  const refusal = await catchRefusal(() => createService(home).change(patch, '*'));
  assert.is(refusal.code, 'invalid');
  assert.equal(refusal.errors, [
    { pointer: '/server/port', message: 'server.port must be a whole number from 0 to 65535.' },
    { pointer: '/server/prot', message: 'Unknown key "prot" in server. Did you mean "port"?' },
    { pointer: '/runer', message: 'Unknown key "runer". Did you mean "runner"?' },
    {
      pointer: '/guardrails/rules/0/id',
      message: 'guardrails.rules.0 is missing the key "id". Add it.',
    },
    {
      pointer: '/plugins/installed/Bad~1Id',
      message:
        'The key "Bad/Id" is not allowed in plugins.installed. It must have the form ^(?!constructor$)[a-z][a-z0-9-]{0,39}$.',
    },
  ]);
  const svc = await catchRefusal(() =>
    createService(home).change({ mcpServers: { svc: { type: 'http', url: 'https://a' } } }, '*'),
  );
  assert.equal(svc.errors, [
    {
      pointer: '/mcpServers/svc',
      message: 'The id svc is reserved for the runner. Give this server another id.',
    },
  ]);
  assert.is(await readFile(file, 'utf8'), '{ "server": { "port": 1 } }');
});

test('a change may name the version that it is meant for: of two changes to one version the second is refused (HTTP-5)', async ({
  home,
  file,
}) => {
  const service = createService(home);
  const { etag } = await service.read();
  const [one, two] = await Promise.allSettled([
    service.change({ server: { port: 1 } }, etag),
    service.change({ server: { port: 2 } }, etag),
  ]);
  assert.equal(one?.status, 'fulfilled');
  assert.equal(two?.status, 'rejected');
  assert.equal(JSON.parse(await readFile(file, 'utf8')), { server: { port: 1 } });
  const now = await service.read();
  await writeFile(file, '{ "server": { "port": 3 } }');
  assert.is(
    (await catchRefusal(() => service.change({ server: { port: 4 } }, now.etag))).code,
    'precondition-failed',
  );
  assert.is(
    (await service.change({ server: { port: 5 } }, `"other", ${(await service.read()).etag}`)).reply
      .values.length > 0,
    true,
  );
  await service.change({ server: { port: 6 } }, null);
  assert.equal(JSON.parse(await readFile(file, 'utf8')), { server: { port: 6 } });
});

test('a plugin that was read from an older block becomes an entry of its own when it is changed, with its secret (CFG-1)', async ({
  home,
  file,
}) => {
  const git = { provider: 'github', username: 'ana', token: 'git-token' };
  await writeFile(file, JSON.stringify({ git, server: { port: 1 } }));
  const service = createService(home);
  await service.change(
    { plugins: { installed: { github: { config: { username: 'ben', token: '********' } } } } },
    '*',
  );
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    server: { port: 1 },
    plugins: {
      installed: { github: { enabled: true, config: { username: 'ben', token: 'git-token' } } },
    },
  });
});

test('what a manifest calls public is shown; without a manifest every text of a plugin is hidden (CFG-2)', async ({
  home,
  file,
}) => {
  await writeFile(
    file,
    JSON.stringify({
      plugins: { installed: { x: { config: { user: 'ana', token: 'plugin-token', n: 1 } } } },
    }),
  );
  const readShownConfig = async (service: ConfigService) =>
    Object((await service.read()).reply.config).plugins.installed.x.config;
  assert.equal(await readShownConfig(createService(home)), {
    user: '********',
    token: '********',
    n: 1,
  });
  const service = createService(home, {
    pluginSettings: () => ({ user: {}, token: { secret: true } }),
  });
  assert.equal(await readShownConfig(service), { user: 'ana', token: '********', n: 1 });
});

test('every value says where it comes from: flag, environment, file or default (CLI-4)', async ({
  home,
  file,
}) => {
  await writeFile(
    file,
    '{\n  "server": { "port": 4000 },\n  "decision": { "baseUrl": "" }, "git": { "provider": "github", "token": "t" }\n}',
  );
  const env = {
    SVC_DECISION_API_KEY: 'new-key',
    LEGACY_API_KEY: 'old-key',
    SVC_DECISION_BASE_URL: 'https://d.example.org',
  };
  const { reply } = await createService(
    home,
    {},
    { ...env, COMPLETION_GATE_MAX_RETRIES: '7' },
    { host: '::1' },
  ).read();
  const of = (key: string) => reply.values.find((value) => value.key === key);
  assert.equal(
    [
      'server.port',
      'server.host',
      'server.auth',
      'decision.apiKey',
      'decision.baseUrl',
      'decision.mode',
      'runner.gateBlocks',
      'paths.workingDir',
      'plugins.installed.github.config.token',
      'plugins.installed.github.enabled',
    ].map(of),
    [
      { key: 'server.port', value: 4000, origin: 'file', from: `${file}:2:23` },
      { key: 'server.host', value: '::1', origin: 'flag', from: '--host' },
      { key: 'server.auth', value: 'auto', origin: 'default', from: null },
      {
        key: 'decision.apiKey',
        value: '********',
        origin: 'environment',
        from: 'SVC_DECISION_API_KEY',
      },
      {
        key: 'decision.baseUrl',
        value: 'https://d.example.org',
        origin: 'environment',
        from: 'SVC_DECISION_BASE_URL',
      },
      { key: 'decision.mode', value: 'off', origin: 'default', from: null },
      {
        key: 'runner.gateBlocks',
        value: 7,
        origin: 'environment',
        from: 'COMPLETION_GATE_MAX_RETRIES',
      },
      { key: 'paths.workingDir', value: `${home}/work`, origin: 'default', from: null },
      {
        key: 'plugins.installed.github.config.token',
        value: '********',
        origin: 'file',
        from: `${file}:3:74`,
      },
      {
        key: 'plugins.installed.github.enabled',
        value: true,
        origin: 'file',
        from: `${file}:3:41`,
      },
    ],
  );
});

test('what the runner takes up only at its next start is named (HTTP-5)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  const { config } = await loadSettings({
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
  });
  const service = createService(home, { started: config });
  const patch = {
    server: { port: 1 },
    forges: { local: { repos: { shop: '/srv/shop' } } },
    setup: { skipped: ['llm'] },
  };
  assert.equal((await service.change(patch, '*')).reply.restart, [
    'forges.local.repos',
    'forges.local.repos.shop',
    'server.port',
  ]);
  assert.equal((await service.change({ server: null, forges: null }, '*')).reply.restart, []);
});

test('what a running runner applies is reported before the reply, once for each version of the file, and needs no restart (CFG-3)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  const { config } = await loadSettings({
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
  });
  const notified: string[] = [];
  const service = createService(home, {
    started: config,
    isLive: true,
    onConfig: ({ llm }) => void notified.push(llm.defaultProvider),
  });
  const patch = {
    llm: { defaultProvider: 'builtin', aliases: { fast: { model: 'm' } } },
    plugins: { installed: { builtin: { config: { model: 'm' } }, github: { enabled: false } } },
    forges: { local: { repos: { shop: '/srv/shop' } } },
    settings: { coordination: { maxParallelSubRuns: 2 } },
    coachMode: { enabled: false },
    server: { port: 4000 },
  };
  const { reply } = await service.change(patch, '*');
  assert.equal(reply.restart, ['server.port']);
  await service.read();
  assert.equal(notified, ['command', 'builtin']);
});

test('a change is answered when its version is in force, also where another reader has reported it (CFG-3)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  const order: string[] = [];
  const gate = createDeferred<void>();
  const reported = createDeferred<void>();
  const service = createService(home, {
    isLive: true,
    async onConfig({ llm }) {
      if (llm.defaultProvider !== 'builtin') return;
      reported.resolve();
      await gate.promise;
      order.push('in force');
    },
  });
  await service.read();
  await writeFile(file, '{ "llm": { "defaultProvider": "builtin" } }');
  const reading = service.read();
  await reported.promise;
  const change = service
    .change({ llm: { defaultProvider: 'builtin' } }, '*')
    .then(() => order.push('answered'));
  // As long as a change takes that waits for nothing.
  await createService(home).change({ llm: { defaultProvider: 'builtin' } }, '*');
  gate.resolve();
  await Promise.all([reading, change]);
  assert.equal(order, ['in force', 'answered']);
});

test('a file that goes while a runner works with it takes nothing out of force, and nothing is written in its place (CFG-1)', async ({
  home,
  file,
}) => {
  const text = '{ "budgets": { "job": { "usd": 3 } } }';
  await writeFile(file, text);
  const { config: started } = await loadSettings({
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
  });
  const caps: unknown[] = [];
  const service = createService(home, {
    started,
    isLive: true,
    onConfig: ({ budgets }) => void caps.push(budgets.job?.usd),
  });
  await service.read();
  await rm(file);
  const { code, message } = await catchRefusal(() => service.read());
  assert.is(code, 'config-invalid');
  assert.match(message, `${file} is gone. The runner keeps the last configuration`);
  await catchRefusal(() => service.change({ coachMode: { enabled: false } }, '*'));
  assert.is(existsSync(file), false);
  await writeFile(file, text);
  await service.read();
  assert.equal(caps, [3]);
});

test('coach mode that is switched off says when; one who says it himself is not contradicted (JOB-15)', async ({
  home,
  file,
}) => {
  const service = createService(home, { now: () => 1_000 });
  await service.change({ coachMode: { enabled: false } }, '*');
  assert.equal(JSON.parse(await readFile(file, 'utf8')).coachMode, {
    enabled: false,
    graduatedAt: '1970-01-01T00:00:01.000Z',
  });
  await service.change({ coachMode: { enabled: true, graduatedAt: null } }, '*');
  const graduatedAt = '2026-01-01T00:00:00.000Z';
  await service.change({ coachMode: { enabled: false, graduatedAt } }, '*');
  assert.is(JSON.parse(await readFile(file, 'utf8')).coachMode.graduatedAt, graduatedAt);
});

test('secrets that come in are known before they are written', async ({ home }) => {
  const known: string[] = [];
  const service = createService(home, { onSecrets: (secrets) => known.push(...secrets) });
  await service.change({ cloud: { url: 'https://c.example.org', token: 'cloud-token' } }, '*');
  assert.equal(known, ['cloud-token']);
});

test('settings that a manifest calls secret are known from the start, whatever their names (CFG-2)', async ({
  home,
  file,
}) => {
  await writeFile(
    file,
    JSON.stringify({
      plugins: {
        installed: { x: { config: { accountClient: 'open-sesame', user: 'ana-of-acme' } } },
      },
    }),
  );
  const { config } = await loadSettings({
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
  });
  const known: string[] = [];
  const pluginSettings = () => ({ accountClient: { secret: true }, user: {} });
  createService(home, {
    started: config,
    pluginSettings,
    onSecrets: (secrets) => known.push(...secrets),
  });
  assert.equal(known, ['open-sesame']);
});

test('a link stays a link, and a folder that cannot be written to leaves the old file (CFG-1)', async ({
  home,
  file,
}) => {
  await mkdir(join(home, 'dotfiles'));
  const real = join(home, 'dotfiles', 'svc.json');
  await writeFile(real, '{}');
  await symlink(real, file);
  await createService(home).change({ server: { port: 1 } }, '*');
  assert.equal(JSON.parse(await readFile(real, 'utf8')), { server: { port: 1 } });
  assert.is(await readFile(file, 'utf8'), await readFile(real, 'utf8'));
  if (process.getuid?.() === 0) return;
  await chmod(join(home, 'dotfiles'), 0o500);
  assert.is(
    (await catchRefusal(() => createService(home).change({ server: { port: 2 } }, '*'))).code,
    'store-failed',
  );
  await chmod(join(home, 'dotfiles'), 0o700);
});

test('while the file is broken, reading and changing tell line and column, and it stays as it is (CFG-1)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{\n  "server": {,}\n}');
  for (const ask of [
    () => createService(home).read(),
    () => createService(home).change({ server: { port: 1 } }, '*'),
  ]) {
    const { code, errors } = await catchRefusal(ask);
    assert.equal(code, 'config-invalid');
    assert.equal(errors[0]?.pointer, `${file}:2:14`);
  }
  assert.is(await readFile(file, 'utf8'), '{\n  "server": {,}\n}');
});

test('what someone else writes into the file while a change is written is kept: the change is refused (HTTP-5)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{ "runner": { "maxConcurrentJobs": 3 } }');
  const edited = '{ "runner": { "maxConcurrentJobs": 4 } }';
  const service = createService(home, {
    createDraftName: () => {
      writeFileSync(file, edited);
      return 'draft';
    },
  });
  const { etag } = await service.read();
  const refused = await catchRefusal(() => service.change({ coachMode: { totalRuns: 1 } }, etag));
  assert.is(refused.code, 'precondition-failed');
  assert.is(await readFile(file, 'utf8'), edited);
  assert.equal(await readdir(home), ['config.json']);
});

test('a change to whatever the file is now is applied to what someone else has just written', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  let writes = 0;
  const service = createService(home, {
    createDraftName: () => {
      writes += 1;
      if (writes === 1) writeFileSync(file, '{ "runner": { "maxConcurrentJobs": 4 } }');
      return `draft-${writes}`;
    },
  });
  await service.change({ coachMode: { totalRuns: 1 } }, null);
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    runner: { maxConcurrentJobs: 4 },
    coachMode: { totalRuns: 1 },
  });
});

test.run();
