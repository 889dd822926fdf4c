import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT_SANDBOX_HOSTS } from '../../../../src/host/config/sections/runner.ts';
import { DEFAULT_RETENTION } from '../../../../src/base/settings/retention.ts';
import { NO_SANDBOX } from '../../../../src/base/agents/sandboxProfiles.ts';
import {
  DEFAULT_CALL_LIMITS,
  DEFAULT_LOOP_LIMITS,
  DEFAULT_START_LIMIT,
} from '../../../../src/base/limits/loopLimits.ts';
import { loadSettings } from '../../../../src/host/config/settings/loadSettings.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

const test = suite<{ home: string }>('settings');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-settings-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

interface Given {
  config?: string | object;
  env?: Record<string, string>;
  flags?: { config?: string; port?: number; host?: string };
}

async function load(home: string, { config, env = {}, flags = {} }: Given = {}) {
  if (config !== undefined)
    await writeFile(
      join(home, 'config.json'),
      typeof config === 'string' ? config : JSON.stringify(config),
    );
  return loadSettings({
    env: { SVC_HOME: home, ...env },
    homeDir: '/home/ana',
    flags,
    packageRoot,
    hostName: 'Ana-Laptop.local',
  });
}

/** The refusal: its message and every mistake, with the home written as HOME. */
async function catchLoadError(
  home: string,
  input: Given,
): Promise<{ code: string; message: string; errors: string[] }> {
  const error = await load(home, input).then(
    () => assert.unreachable('the settings were accepted'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SvcError)) throw error;
  const plain = (text: string) => text.replaceAll(home, 'HOME');
  return {
    code: error.code,
    message: plain(error.message),
    errors: error.errors.map(({ pointer, message }) => `${plain(pointer)} ${plain(message)}`),
  };
}

for (const host of ['a\nb', 'x\u0007', '1 2', 'http://x', '127.0.0.1:80'])
  test(`${JSON.stringify(host)} is no address to listen on`, async ({ home }) => {
    const { errors } = await catchLoadError(home, { config: { server: { host } } });
    assert.match(errors.join(), /server\.host/);
  });

for (const host of ['localhost', '0.0.0.0', '::1', '[::1]', 'fe80::1%eth0'])
  test(`${host} is an address to listen on`, async ({ home }) => {
    const { settings } = await load(home, { config: { server: { host } } });
    assert.is(settings.server.host, host);
  });

test('without a file every value is its default (RUN-1, CFG-3)', async ({ home }) => {
  const { settings, warnings, secrets } = await load(home);
  assert.equal(
    { settings, warnings, secrets },
    {
      settings: {
        home,
        configFile: `${home}/config.json`,
        version: JSON.parse(await readFile(`${packageRoot}/package.json`, 'utf8')).version,
        paths: {
          workingDir: `${home}/work`,
          stateDb: `${home}/state.db`,
          tokenFile: `${home}/runner.token`,
          blobs: `${home}/blobs`,
          intelligenceDir: `${home}/intelligence`,
        },
        baseIntelligence: `${packageRoot}/intelligence`,
        tenant: {
          id: 'solo-ana-laptop-local',
          displayName: 'Ana-Laptop.local',
          overlay: { kind: 'none' },
        },
        cloud: {
          url: '',
          token: '',
          name: 'Ana-Laptop.local',
          labels: [],
          accept: null,
          lostWork: 'continue',
          wipRef: false,
          adoptSlots: 1,
        },
        llm: {
          defaultProvider: 'command',
          aliases: {
            planning: { provider: 'command', model: 'default' },
            coding: { provider: 'command', model: 'default' },
          },
        },
        runner: {
          maxConcurrentJobs: 2,
          sessionMinutes: 60,
          sessionOutputBytes: 16_777_216,
          stopGraceSeconds: 5,
          minFreeDiskMb: 1024,
          gateBlocks: 5,
          ...NO_SANDBOX,
          sandboxHosts: DEFAULT_SANDBOX_HOSTS,
        },
        server: { host: '127.0.0.1', port: 3000, auth: 'auto' },
        forges: { local: { repos: {} } },
        coordination: { maxParallelSubRuns: null },
        plugins: {},
        triggers: [],
        schedules: [],
        checkout: { ports: { first: 20000, last: 29999, perCheckout: 10 }, repositories: [] },
        traces: {
          endpoint: '',
          headers: {},
          headersVariable: '',
          serviceName: 'svc',
          link: '',
        },
        notifications: {
          channels: {},
          rules: [],
          report: { every: 'day', at: '08:00', weekday: 'mon' },
        },
        mode: 'local',
        coachMode: { enabled: true },
        mcp: { servers: {}, inheritClaude: false, claudeFile: '/home/ana/.claude.json' },
        intake: { toolsEnabled: true },
        invariants: [],
        retention: { everyMs: null, ...DEFAULT_RETENTION },
        backup: { everyMs: null, folder: null, copies: 7, work: 'active' },
        noProgress: {
          laps: DEFAULT_LOOP_LIMITS,
          starts: DEFAULT_START_LIMIT,
          session: DEFAULT_CALL_LIMITS,
        },
        guardrails: { enabled: true, rules: [] },
        proposals: { routing: { strategy: 'path' } },
        budgets: { prices: [], caps: {}, headlessFactor: 1, unpriced: { input: 15, output: 75 } },
        decision: {
          mode: 'off',
          provider: 'decider',
          api: 'anthropic',
          apiKey: '',
          baseUrl: null,
          model: 'decider-1.13.0',
          timeoutMs: 1500,
          overseer: {
            scope: 'all',
            onFlag: 'park',
            thresholds: { offTrackNoul: 0.75, severityScore: 1.5, minChoiceConfidence: 0.5 },
          },
          sites: {},
        },
      },
      warnings: [],
      secrets: [],
    },
  );
});

test('a program that runs keeps the version that it was started as when its files are replaced', async ({
  home,
}) => {
  const manifest = join(home, 'package.json');
  const sources = { env: { SVC_HOME: home }, homeDir: home, flags: {}, hostName: 'h' };
  await writeFile(manifest, '{ "version": "1.0.0" }');
  await loadSettings({ ...sources, packageRoot: home });
  await writeFile(manifest, '{ "version": "2.0.0" }');
  const { settings } = await loadSettings({ ...sources, packageRoot: home });
  assert.is(settings.version, '1.0.0');
});

test('the home is ~/.svc where SVC_HOME is unset or empty', async () => {
  for (const env of [{}, { SVC_HOME: '' }]) {
    const { settings } = await loadSettings({
      env,
      homeDir: '/home/no-such-user',
      flags: {},
      packageRoot,
      hostName: 'h',
    });
    assert.is(settings.home, '/home/no-such-user/.svc');
  }
});

test('every section of the file is taken; ~ is the home folder and relative paths count from the file (CFG-1)', async ({
  home,
}) => {
  await mkdir(join(home, 'repos/shop'), { recursive: true });
  const { settings, warnings } = await load(home, {
    config: {
      paths: { workingDir: '~/jobs' },
      intelligence: { dir: 'authoring', gitRemote: 'https://example.org/team.git' },
      tenant: { displayName: 'Ana', overlay: { kind: 'localDir', path: '../overlay' } },
      llm: {
        defaultProvider: 'acp',
        aliases: {
          coding: { provider: 'claude', model: 'large', reasoningEffort: 'high' },
          review: { model: 'small' },
        },
      },
      runner: {
        maxConcurrentJobs: 4,
        sessionMinutes: 90,
        sessionOutputBytes: 2048,
        stopGraceSeconds: 0,
        minFreeDiskMb: 0,
      },
      server: { host: '::1', port: 4100, auth: 'required' },
      forges: {
        local: {
          repos: { shop: 'repos/shop', docs: { path: '/srv/docs', defaultBranch: 'trunk' } },
        },
      },
      coachMode: { enabled: true },
    },
  });
  assert.is(settings.paths.workingDir, '/home/ana/jobs');
  assert.is(settings.paths.intelligenceDir, `${home}/authoring`);
  assert.equal(settings.tenant, {
    id: 'solo-ana-laptop-local',
    displayName: 'Ana',
    overlay: { kind: 'localDir', path: join(home, '../overlay') },
  });
  assert.equal(settings.llm, {
    defaultProvider: 'acp',
    aliases: {
      planning: { provider: 'acp', model: 'default' },
      coding: { provider: 'claude', model: 'large', reasoningEffort: 'high' },
      review: { provider: 'acp', model: 'small' },
    },
  });
  assert.equal(settings.runner, {
    maxConcurrentJobs: 4,
    sessionMinutes: 90,
    sessionOutputBytes: 2048,
    stopGraceSeconds: 0,
    minFreeDiskMb: 0,
    gateBlocks: 5,
    ...NO_SANDBOX,
    sandboxHosts: DEFAULT_SANDBOX_HOSTS,
  });
  assert.equal(settings.server, { host: '::1', port: 4100, auth: 'required' });
  assert.equal(settings.forges.local.repos, {
    shop: { path: `${home}/repos/shop`, defaultBranch: null },
    docs: { path: '/srv/docs', defaultBranch: 'trunk' },
  });
  assert.equal(settings.coachMode, { enabled: true });
  const { overlay } = settings.tenant;
  assert.equal(warnings, [
    'forges.local.repos.docs: the folder /srv/docs does not exist',
    `tenant.overlay.path: the folder ${overlay.kind === 'localDir' ? overlay.path : ''} does not exist, so its workflows are not found`,
  ]);
});

test('flags come before the file (CLI-1)', async ({ home }) => {
  const { settings } = await load(home, {
    config: { server: { port: 4100, host: '127.0.0.2' } },
    flags: { port: 0, host: '::1' },
  });
  assert.equal(settings.server, { host: '::1', port: 0, auth: 'auto' });
});

test('--config names another file, which must be there', async ({ home }) => {
  const other = join(home, 'other.json');
  assert.equal(await catchLoadError(home, { flags: { config: other } }), {
    code: 'config-invalid',
    message: 'The configuration file HOME/other.json does not exist. Create it, or omit --config.',
    errors: [],
  });
  await writeFile(other, '{ "server": { "port": 5000 } }');
  const { settings } = await load(home, { flags: { config: other } });
  assert.equal(settings.home, home);
  assert.equal(settings.configFile, other);
  assert.equal(settings.server.port, 5000);
});

test('all errors are reported together, with line and column and how to fix them; the file stays as it is (CFG-1)', async ({
  home,
}) => {
  const config = `{
  "server": { "prot": 1, "port": "3000", "auth": "of" },
  "runner": { "maxConcurrentJobs": 1.5, "stopGraceSeconds": null, "sessionMinutes": 0 },
  "forges": { "local": { "repos": { "shop": 7, "../x": "/a", "docs": { "paht": "x" } } } },
  "llm": { "aliases": { "coding": {} } },
  "tenant": { "overlay": { "kind": "gitRemot" } },
  "coachMode": [], "coachMode": {},
  "runer": {}, "plugin": {}, "__proto__": { "x": 1 },
  "paths": { "workingDir": "" }
}
`;
  assert.equal(await catchLoadError(home, { config }), {
    code: 'config-invalid',
    message: 'The configuration file HOME/config.json has 17 errors. It was not changed.',
    errors: [
      'HOME/config.json:2:15 Unknown key "prot" in server. Did you mean "port"?',
      'HOME/config.json:2:34 server.port must be a whole number from 0 to 65535.',
      'HOME/config.json:2:50 server.auth must be one of "auto", "required", "off".',
      'HOME/config.json:3:36 runner.maxConcurrentJobs must be a whole number from 1 to 64.',
      'HOME/config.json:3:61 runner.stopGraceSeconds must be a whole number from 0 to 300.',
      'HOME/config.json:3:85 runner.sessionMinutes must be a whole number from 1 to 1440.',
      'HOME/config.json:4:45 forges.local.repos.shop must be the folder of a git repository as text, or { "path", "defaultBranch" }.',
      'HOME/config.json:4:48 The key "../x" is not allowed in forges.local.repos. Use A-Z, a-z, 0-9, ".", "_" and "-", at most 100 characters, starting with a letter or digit.',
      'HOME/config.json:4:72 Unknown key "paht" in forges.local.repos.docs. Did you mean "path"?',
      'HOME/config.json:5:35 llm.aliases.coding is missing the key "model". Add it.',
      'HOME/config.json:6:36 tenant.overlay.kind must be one of "none", "localDir", "gitRemote", "cloudBlob".',
      'HOME/config.json:7:16 coachMode must be an object { }.',
      'HOME/config.json:7:20 The key "coachMode" is given twice. Keep one.',
      'HOME/config.json:8:3 Unknown key "runer". Did you mean "runner"?',
      'HOME/config.json:8:16 Unknown key "plugin". Did you mean "plugins"?',
      'HOME/config.json:8:30 The key "__proto__" is not allowed.',
      'HOME/config.json:9:28 paths.workingDir must be a text in double quotes, of 1 to 4096 characters.',
    ],
  });
  assert.is(await readFile(join(home, 'config.json'), 'utf8'), config);
});

test('an error about a host says in words what one is (CFG-1)', async ({ home }) => {
  const config = '{"runner": {"sandboxHosts": ["https://a.example/x"]}}';
  assert.equal((await catchLoadError(home, { config })).errors, [
    'HOME/config.json:1:30 runner.sandboxHosts.0 must be the name of a host in double quotes, without https:// and without a path, such as "registry.npmjs.org" or "models.example.com:8443" or "*.example.com".',
  ]);
});

const SYNTAX: [what: string, text: string, errors: string[]][] = [
  [
    'a comment',
    '{\n  // port\n  "server": {}\n}',
    ['HOME/config.json:2:3 JSON has no comments. Remove it.'],
  ],
  [
    'a trailing comma',
    '{\n  "server": {},\n}',
    [
      'HOME/config.json:3:1 A key in double quotes is expected here. No comma may follow the last entry.',
    ],
  ],
  [
    'a missing comma',
    '{ "paths": {}\n  "server": {} }',
    ['HOME/config.json:2:3 A comma is expected between entries.'],
  ],
  ['an unclosed brace', '{ "server": {}', ['HOME/config.json:1:15 A closing } is missing.']],
  [
    'a list',
    '[1]',
    ['HOME/config.json:1:1 The file must hold one JSON object. Write {} for the defaults.'],
  ],
  [
    'a bare word',
    '{ "server": yes }',
    [
      'HOME/config.json:1:13 This is not a JSON value. Write text in double quotes, or a number, true, false, null, { } or [ ].',
    ],
  ],
];
for (const [what, text, errors] of SYNTAX) {
  test(`${what} is refused at its place`, async ({ home }) => {
    assert.equal((await catchLoadError(home, { config: text })).errors, errors);
  });
}

test('an emptied file is refused: it is not the same as a missing one', async ({ home }) => {
  const { code, errors } = await catchLoadError(home, { config: '' });
  assert.is(code, 'config-invalid');
  assert.ok(errors.length > 0);
});

test('a byte order mark and Windows line ends do not shift the places', async ({ home }) => {
  const { errors } = await catchLoadError(home, {
    config: '\uFEFF{\r\n  "paths": {},\r\n  "runer": {}\r\n}',
  });
  assert.equal(errors, ['HOME/config.json:3:3 Unknown key "runer". Did you mean "runner"?']);
});

test('an overlay in git needs its address (INT-3)', async ({ home }) => {
  assert.equal(
    (await catchLoadError(home, { config: { tenant: { overlay: { kind: 'gitRemote' } } } })).errors,
    [
      'HOME/config.json:1:22 tenant.overlay is missing the key "url". Add the address of the git repository.',
    ],
  );
  assert.equal(
    (
      await catchLoadError(home, {
        config: { tenant: { overlay: { kind: 'none', url: 'https://x.example' } } },
      })
    ).errors,
    [
      'HOME/config.json:1:43 "url" is only used with "kind": "gitRemote". Add that kind, or remove it.',
    ],
  );
  for (const [overlay, message] of [
    [
      { url: 'team.git' },
      'url must be an address that starts with https://, ssh:// or file://, or git@host:path.',
    ],
    [
      { url: 'ext::sh -c x' },
      'url must be an address that starts with https://, ssh:// or file://, or git@host:path.',
    ],
    [
      { url: 'https://x.example/t.git', path: '../up' },
      'path must be a folder in the repository, such as intelligence.',
    ],
  ] as const)
    assert.match(
      (
        await catchLoadError(home, {
          config: { tenant: { overlay: { kind: 'gitRemote', ...overlay } } },
        })
      ).errors[0] ?? '',
      message,
    );
  assert.equal(
    (await catchLoadError(home, { config: { tenant: { overlay: { kind: 'localDir' } } } })).errors,
    [
      'HOME/config.json:1:22 tenant.overlay is missing the key "path". Add the folder of the overlay.',
    ],
  );
  assert.equal(
    (await catchLoadError(home, { config: { tenant: { overlay: { path: '/x' } } } })).errors,
    [
      'HOME/config.json:1:30 A path is only used with "kind": "localDir". Add that kind, or remove the path.',
    ],
  );
});

test('a gitRemote overlay: its address is kept apart from its login; intelligence.gitRemote stands for one (INT-3)', async ({
  home,
}) => {
  const of = async (config: object) => (await load(home, { config })).settings.tenant.overlay;
  const plain = { kind: 'gitRemote', ref: null, path: null, username: 'x-access-token', token: '' };
  const url = 'https://git.example/team.git';
  assert.equal(await of({ intelligence: { gitRemote: url } }), { ...plain, url });
  assert.equal(
    await of({ intelligence: { gitRemote: 'https://ana:a-secret@git.example/team.git' } }),
    {
      ...plain,
      url,
      username: 'ana',
      token: 'a-secret',
    },
  );
  assert.equal(
    await of({ tenant: { overlay: { kind: 'none' } }, intelligence: { gitRemote: url } }),
    { kind: 'none' },
  );
  const overlay = {
    kind: 'gitRemote',
    url: 'git@git.example:team/ai.git',
    ref: 'main',
    path: 'svc/',
    token: 't',
  };
  assert.equal(await of({ tenant: { overlay }, intelligence: { gitRemote: url } }), {
    ...plain,
    url: 'ssh://git@git.example/team/ai.git',
    ref: 'main',
    path: 'svc',
    username: 'git',
    token: 't',
  });
  const { secrets } = await load(home, {
    config: { tenant: { overlay: { kind: 'gitRemote', url, token: 'overlay-token' } } },
  });
  assert.ok(secrets.includes('overlay-token'));
});

test('the runner cannot be opened to the network without a token', async ({ home }) => {
  const config = { server: { auth: 'off' } };
  assert.is((await load(home, { config })).settings.server.auth, 'off');
  for (const input of [
    { config: { server: { auth: 'off', host: '0.0.0.0' } } },
    { config, flags: { host: '0.0.0.0' } },
  ]) {
    assert.equal((await catchLoadError(home, input)).errors, [
      'HOME/config.json:1:19 server.auth "off" would open the runner to everyone who can reach 0.0.0.0. Use "auto", or listen on 127.0.0.1.',
    ]);
  }
});

test('a config file that cannot be read is refused', async ({ home }) => {
  await mkdir(join(home, 'config.json'));
  assert.is(
    (await catchLoadError(home, {})).message,
    'The configuration file HOME/config.json cannot be read (EISDIR). It must be a file that you may read.',
  );
});

test('older git and tracker blocks are read as plugins where those have no entry; the file stays as it is (CFG-1)', async ({
  home,
}) => {
  const config = JSON.stringify({
    git: { provider: 'github', workspace: 'acme', username: 'ana', token: 'git-token-1' },
    tracker: {
      provider: 'linear',
      linear: { apiKey: 'linear-key-1', teamKey: 'SHOP' },
      jira: { token: 'of another one' },
    },
  });
  const { settings, warnings, secrets } = await load(home, { config });
  assert.equal(settings.plugins, {
    github: { enabled: true, config: { workspace: 'acme', username: 'ana', token: 'git-token-1' } },
    linear: { enabled: true, config: { apiKey: 'linear-key-1', teamKey: 'SHOP' } },
  });
  assert.equal(warnings, [
    `${home}/config.json:1:2 the section git is the older form of plugins.installed.github; it is still read`,
    `${home}/config.json:1:88 the section tracker is the older form of plugins.installed.linear; it is still read`,
  ]);
  // A word such as a team's key would garble every text that holds it.
  assert.equal(secrets.sort(), ['git-token-1', 'linear-key-1', 'of another one']);
  assert.is(await readFile(join(home, 'config.json'), 'utf8'), config);
  const both = {
    git: { provider: 'github', token: 'old' },
    plugins: { installed: { github: { config: { token: 'new' } } } },
  };
  assert.equal((await load(home, { config: both })).settings.plugins, {
    github: { enabled: true, config: { token: 'new' } },
  });
  assert.equal(
    (await load(home, { config: { tracker: { provider: 'none' } } })).settings.plugins,
    {},
  );
});

test('the id svc and a server that cannot be reached are refused (CFG-1)', async ({ home }) => {
  const config = { mcpServers: { svc: { type: 'stdio', command: 'x' }, docs: { type: 'http' } } };
  assert.equal((await catchLoadError(home, { config })).errors, [
    'HOME/config.json:1:22 The id svc is reserved for the runner. Give this server another id.',
    'HOME/config.json:1:60 mcpServers.docs is missing the key "url", which a server of type "http" needs. Add it.',
  ]);
});

test('what a later version may read is kept with a warning that names the place (CFG-1)', async ({
  home,
}) => {
  const config = {
    mcpServers: { docs: { type: 'stdio', command: 'docs', comand: 'x', tmeout: { deep: [1] } } },
  };
  assert.equal((await load(home, { config })).warnings, [
    `${home}/config.json:1:56 Unknown key "comand" in mcpServers.docs. Did you mean "command"? It is kept but not used.`,
    `${home}/config.json:1:69 Unknown key "tmeout" in mcpServers.docs. Did you mean "timeoutMs"? It is kept but not used.`,
  ]);
});

test('a section that svc acts on has no warning (CFG-1)', async ({ home }) => {
  const config = { intake: { toolsEnabled: false } };
  assert.equal((await load(home, { config })).warnings, []);
});

test('a needed key that is misspelt where unknown keys are kept is still missing (CFG-1)', async ({
  home,
}) => {
  const config = { mcpServers: { docs: { tpye: 'stdio', command: 'docs' } } };
  assert.equal((await catchLoadError(home, { config })).errors, [
    'HOME/config.json:1:23 mcpServers.docs is missing the key "type". Add it.',
  ]);
});

test('the mode is hybrid only where cloud.url and cloud.token are both there (RUN-2)', async ({
  home,
}) => {
  const modeWith = async (cloud: object) => (await load(home, { config: { cloud } })).settings.mode;
  const [url, token] = ['https://cloud.example.org', 'cloud-token'];
  assert.equal(await modeWith({}), 'local');
  assert.equal(await modeWith({ url }), 'local');
  assert.equal(await modeWith({ token }), 'local');
  assert.equal(await modeWith({ url, token: '' }), 'local');
  assert.equal(await modeWith({ url, token }), 'hybrid');
});

test("a team's limit of sub-runs is taken (SUB-3)", async ({ home }) => {
  const { settings } = await load(home, {
    config: { settings: { coordination: { maxParallelSubRuns: 3 } } },
  });
  assert.equal(settings.coordination, { maxParallelSubRuns: 3 });
});

test('secrets of file and environment are known at the start, so that they can be taken out of everything', async ({
  home,
}) => {
  const { secrets } = await load(home, {
    config: {
      decision: { apiKey: 'decision-key' },
      cloud: {
        url: 'https://ana:url-password@cloud.example.org/?key=query-key',
        token: 'cloud-token',
      },
      plugins: {
        installed: {
          github: {
            config: { token: 'plugin-token', workspace: 'acme', nested: { apiKey: 'deep-key' } },
          },
        },
      },
      mcpServers: {
        docs: {
          type: 'http',
          url: 'https://mcp.example.org',
          headers: { Authorization: 'Bearer header-token' },
          env: { DOCS_TOKEN: 'env-token' },
          args: ['--api-key', 'argument-key', '--token=joined-token', 'plain'],
        },
      },
    },
    env: {
      SVC_TOKEN: 'svc-token',
      SVC_DECISION_API_KEY: 'decider-key',
      LEGACY_API_KEY: 'legacy-key',
    },
  });
  assert.equal(secrets.sort(), [
    'Bearer header-token',
    'argument-key',
    'cloud-token',
    'decider-key',
    'decision-key',
    'deep-key',
    'env-token',
    'header-token',
    'joined-token',
    'legacy-key',
    'plugin-token',
    'query-key',
    'svc-token',
    'url-password',
  ]);
});

test('SVC_DECISION_MODE is checked, and a key that was put there by mistake is not repeated', async ({
  home,
}) => {
  assert.equal(await catchLoadError(home, { env: { SVC_DECISION_MODE: 'sk-secret' } }), {
    code: 'bad-argument',
    message: 'The environment variable SVC_DECISION_MODE must be one of off, shadow, live.',
    errors: [],
  });
});

test('COMPLETION_GATE_MAX_RETRIES is a whole number from 1 (JOB-7)', async ({ home }) => {
  assert.is(
    (await load(home, { env: { COMPLETION_GATE_MAX_RETRIES: '1' } })).settings.runner.gateBlocks,
    1,
  );
  for (const value of ['0', '-1', '2.5', 'many', '1e3', '1001']) {
    assert.equal(await catchLoadError(home, { env: { COMPLETION_GATE_MAX_RETRIES: value } }), {
      code: 'bad-argument',
      message: `The environment variable COMPLETION_GATE_MAX_RETRIES is "${value}", but must be a whole number from 1 to 1000. Unset it for the default of 5.`,
      errors: [],
    });
  }
});

test.run();
