import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAcpServers } from '../../../src/executors/acp/buildAcpServers.ts';
import { isPermitted } from '../../../src/executors/acp/permissions.ts';
import { readCheckoutMemory } from '../../../src/executors/process/readCheckoutMemory.ts';
import { planAcpLaunch, removeLeavings } from '../../../src/executors/acp/planAcpLaunch.ts';
import { PRESETS } from '../../../src/executors/acp/presets/index.ts';
import type { SessionRequest } from '../../../src/contract/session/executor.ts';
import type { ProgramStart } from '../../../src/contract/session/sandbox.ts';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('executor acp presets');

const KEY = 'canary-model-key';
const CONFIG = {
  opencodeApiKey: KEY,
  opencodeBaseUrl: 'http://127.0.0.1:1/v1',
  geminiApiKey: KEY,
  codexApiKey: KEY,
  claudeAgentApiKey: KEY,
  command: 'agent --stdio "two words"',
  key: KEY,
  keyVariable: 'AGENT_KEY',
};

const server = (more: Partial<McpServer>): McpServer => ({
  id: 'docs',
  origin: 'config',
  transport: 'http',
  command: null,
  args: [],
  env: {},
  url: 'http://docs',
  headers: {},
  allowedTools: null,
  disallowedTools: [],
  ...more,
});

const planLaunch = async (id: string, more: Partial<SessionRequest> = {}) => {
  const prepared = await prepare(null, {
    llm: { provider: `acp:${id}`, model: 'm', reasoningEffort: null },
    ...more,
  });
  const preset = PRESETS.find((one) => one.id === id);
  if (!preset) throw new Error(`There is no preset ${id}.`);
  return { prepared, made: await planAcpLaunch(preset, prepared.request, CONFIG) };
};

test('the key of the model is in a file that only we can read where the agent takes one, else in its environment, and never in arguments; the token is nowhere', async () => {
  for (const { id } of PRESETS) {
    const { prepared, made } = await planLaunch(id);
    const inFile = Object.values(made.files).includes(KEY);
    assert.is(Object.values(made.env).includes(KEY), !inFile, id);
    assert.is(inFile, id === 'opencode' || id === 'claude-agent-acp', id);
    assert.not.ok(made.args.join(' ').includes(KEY), id);
    const all = JSON.stringify([made.env, made.args, made.files]);
    assert.not.ok(all.includes(prepared.request.tools.token), id);
    await prepared[Symbol.asyncDispose]();
  }
});

test('codex has its own sandbox unless the session is confined: it hangs within another one', async () => {
  const modeIn = async (sandbox?: SessionRequest['sandbox']) => {
    const { prepared, made } = await planLaunch('codex', sandbox ? { sandbox } : {});
    await prepared[Symbol.asyncDispose]();
    return made.mode;
  };
  const wrap = (start: ProgramStart): ProgramStart => start;
  assert.is(await modeIn(), 'auto');
  assert.is(await modeIn({ profile: 'bubblewrap', wrap, bridge: false }), 'full-access');
  assert.is(await modeIn({ profile: 'command', wrap, bridge: false }), 'auto');
});

test('codex uses the login that the settings name by a link that goes with the session, and not in a sandbox', async () => {
  await using prepared = await prepare(null, {
    llm: { provider: 'acp:codex', model: 'm', reasoningEffort: null },
  });
  const preset = PRESETS.find(({ id }) => id === 'codex');
  if (!preset) throw new Error('There is no preset codex.');
  const login = join(prepared.dir, 'auth.json');
  const config = { codexLoginDir: prepared.dir };
  assert.match(preset.describeMissing(config, null) ?? '', /no login of Codex/);
  await writeFile(login, '{"tokens":{}}');
  assert.is(preset.describeMissing(config, null), null);
  const launch = await planAcpLaunch(preset, prepared.request, config);
  const [link = '', target] = Object.entries(launch.links ?? {})[0] ?? [];
  assert.is(target, login);
  assert.is(await readFile(link, 'utf8'), '{"tokens":{}}');
  assert.match(Object.values(launch.files).join('\n'), /requires_openai_auth = true/);
  const renewed = '{"tokens":{"access_token":"renewed"}}';
  await writeFile(link, renewed);
  await removeLeavings(launch);
  assert.is(await stat(link).catch(() => null), null);
  assert.is(await readFile(login, 'utf8'), renewed, 'the login itself stays, as Codex renewed it');
  const wrap = (start: ProgramStart): ProgramStart => start;
  const confined = { ...prepared.request, sandbox: { profile: 'command', wrap, bridge: false } };
  const refusal = await catchRefusal(() => planAcpLaunch(preset, confined as never, config));
  assert.is(refusal.code, 'bad-argument');
});

test('files of the agent are in the session folder or the job home, and no other user can read them', async () => {
  const { prepared, made } = await planLaunch('opencode');
  const file = join(prepared.request.sessionDir, 'acp', 'system.md');
  assert.match(await readFile(file, 'utf8'), /^You are careful\./);
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.equal(Object.keys(made.files), [
    'system.md',
    'model.key',
    'bin/bash',
    'config/opencode/plugin/svc.js',
    'config/opencode/package.json',
    'config/opencode/package-lock.json',
    'config/opencode/node_modules/.package-lock.json',
    'tmp/.keep',
  ]);
  await prepared[Symbol.asyncDispose]();
});

test('opencode runs no plugin of the checkout: pure mode, no configuration of the project, and a plugin of ours that ends its second loader', async () => {
  const { prepared, made } = await planLaunch('opencode');
  assert.equal(made.args.slice(0, -1), ['acp', '--pure', '--hostname', '127.0.0.1', '--port']);
  assert.is(made.env.OPENCODE_PURE, '1');
  assert.is(made.env.OPENCODE_DISABLE_PROJECT_CONFIG, '1');
  const guard = join(String(made.env.XDG_CONFIG_HOME), 'opencode', 'plugin', 'svc.js');
  assert.match(await readFile(guard, 'utf8'), /Bun\.plugin\(.*await new Promise\(\(\) => \{\}\)/s);
  await prepared[Symbol.asyncDispose]();
});

test('opencode is given instructions in the place of its own, which forbid a commit that no one has asked for', async () => {
  const { prepared, made } = await planLaunch('opencode');
  const { agent } = JSON.parse(made.env.OPENCODE_CONFIG_CONTENT ?? '{}');
  assert.match(agent.build.prompt, `You work in the checkout ${prepared.request.cwd} with`);
  assert.match(agent.build.prompt, 'You are asked to commit what you finish');
  await prepared[Symbol.asyncDispose]();
});

test('the server of opencode has a password of its own in each session, which is a known secret and in no argument or file', async () => {
  const [one, two] = [await planLaunch('opencode'), await planLaunch('opencode')];
  const password = one.made.env.OPENCODE_SERVER_PASSWORD ?? '';
  assert.match(password, /^[\w-]{43}$/);
  assert.is.not(password, two.made.env.OPENCODE_SERVER_PASSWORD);
  assert.ok(one.made.secrets.includes(password));
  assert.not.ok(JSON.stringify([one.made.args, one.made.files]).includes(password));
  await Promise.all([one.prepared[Symbol.asyncDispose](), two.prepared[Symbol.asyncDispose]()]);
});

test('opencode denies what the phase does not list, single tools of servers among it, and never asks', async () => {
  const { prepared, made } = await planLaunch('opencode', {
    builtInTools: ['read', 'shell'],
    mcpServers: [server({ allowedTools: ['find'] })],
  });
  const { permission } = JSON.parse(made.env.OPENCODE_CONFIG_CONTENT ?? '{}');
  assert.equal(permission, {
    '*': 'deny',
    read: 'allow',
    edit: 'deny',
    bash: 'ask',
    glob: 'deny',
    list: 'deny',
    grep: 'deny',
    skill: 'deny',
    'svc_*': 'allow',
    'docs_*': 'deny',
    docs_find: 'allow',
    todowrite: 'allow',
    todoread: 'allow',
    question: 'deny',
    external_directory: 'allow',
    doom_loop: 'deny',
  });
  await prepared[Symbol.asyncDispose]();
});

test('gemini runs no hook and no command of the checkout, and no server of it under our names', async () => {
  const { prepared, made } = await planLaunch('gemini', { mcpServers: [server({})] });
  const own = JSON.parse(await readFile(String(made.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH), 'utf8'));
  assert.equal(own.hooksConfig, { enabled: false });
  assert.equal(own.tools, { enableHooks: false, discoveryCommand: '', callCommand: '' });
  assert.equal(Object.keys(own.mcpServers), ['svc', 'docs']);
  await prepared[Symbol.asyncDispose]();
});

test('gemini is kept to the list by a policy that lets the tools of servers through', async () => {
  const writeAndReadPolicy = async (builtInTools: readonly string[] | null) => {
    const { prepared, made } = await planLaunch('gemini', {
      builtInTools,
      mcpServers: [server({})],
    });
    const dir = join(prepared.request.sessionDir, 'acp', 'policies');
    assert.equal(made.args.slice(2, -2), [
      '--policy',
      dir,
      '--admin-policy',
      dir,
      '--allowed-mcp-server-names',
      'svc,docs',
    ]);
    const text = await readFile(join(dir, 'svc.toml'), 'utf8');
    await prepared[Symbol.asyncDispose]();
    return [...text.matchAll(/toolName = (.*)\ndecision = "(.*)"\npriority = (.*)\n/g)].map(
      ([, ...rule]) => rule.join(' '),
    );
  };
  const servers = '["mcp_*"] allow 300';
  assert.equal(await writeAndReadPolicy(null), [servers]);
  assert.equal(await writeAndReadPolicy([]), ['["*"] deny 100', servers]);
  assert.equal(await writeAndReadPolicy(['shell', 'edit']), [
    '["*"] deny 100',
    '["replace","run_shell_command"] allow 200',
    servers,
  ]);
});

test('claude-agent-acp reads its tool servers from the session file: servers passed over the protocol would appear in arguments', async () => {
  const { prepared, made } = await planLaunch('claude-agent-acp', {
    mcpServers: [server({ disallowedTools: ['drop'] })],
  });
  assert.equal(made.meta?.claudeCode, {
    options: {
      tools: ['Read', 'Write', 'Edit', 'Bash', 'Glob', 'Grep', 'Skill'],
      allowedTools: [
        'mcp__svc',
        'Read',
        'Write',
        'Edit',
        'Bash',
        'Glob',
        'Grep',
        'Skill',
        'mcp__docs',
      ],
      disallowedTools: ['mcp__docs__drop'],
      settingSources: [],
      settings: {
        disableAllHooks: true,
        apiKeyHelper: `cat '${join(prepared.request.sessionDir, 'model.key')}'`,
      },
      strictMcpConfig: true,
      extraArgs: { 'mcp-config': join(prepared.request.sessionDir, 'mcp.json') },
    },
  });
  assert.equal(buildAcpServers(prepared.request, { http: true }, made), {
    servers: [],
    ids: ['docs'],
    notes: [],
  });
  await prepared[Symbol.asyncDispose]();
});

test('Gemini CLI lets the servers of a session in by the names that they are given', async () => {
  const { prepared, made } = await planLaunch('gemini', {
    mcpServers: [server({ id: 'docs.v2' })],
  });
  assert.ok(made.args.includes('svc,docs_v2'), made.args.join(' '));
  await prepared[Symbol.asyncDispose]();
});

test('an agent that asks for a tool which its server may not give is refused (TOOL-10)', () => {
  const servers = [
    server({ allowedTools: ['find', 'drop'], disallowedTools: ['drop'] }),
    server({ id: 'all' }),
  ];
  const isAllowed = (name: string) =>
    isPermitted({ toolCallId: 't', kind: 'other', title: name }, servers, []);
  assert.equal(
    ['mcp__docs__find', 'mcp__docs__drop', 'mcp__docs__other', 'all_other', 'mcp__svc__log'].map(
      isAllowed,
    ),
    [true, false, false, true, true],
  );
});

test('the programs of tool servers get no key and no password of the agent, however it hands its environment on', async () => {
  await using prepared = await prepare(null);
  const own = server({
    id: 'own',
    transport: 'stdio',
    command: 'own',
    args: ['x'],
    env: { K: 'v' },
  });
  const { servers } = buildAcpServers(
    { ...prepared.request, mcpServers: [own] },
    { http: true },
    {
      narrows: true,
      readsServers: false,
      env: { KEY_OF_IT: 'k', K: 'k', HOME: '/h' },
      secrets: ['k'],
    },
  );
  assert.equal(servers[1], {
    name: 'own',
    command: '/usr/bin/env',
    args: ['-u', 'KEY_OF_IT', 'own', 'x'],
    env: [{ name: 'K', value: 'v' }],
  });
});

test('AGENTS.md of the checkout is part of the prompt of agents that are kept from its configuration, and a link out of it is not', async () => {
  const { prepared, made } = await planLaunch('opencode');
  assert.not.match(made.systemPrompt, 'AGENTS.md');
  const { cwd } = prepared.request;
  await writeFile(join(cwd, 'AGENTS.md'), 'Run `make check`.');
  assert.match(await readCheckoutMemory(cwd), '# AGENTS.md of the repository\n\nRun `make check`.');
  await rm(join(cwd, 'AGENTS.md'));
  await symlink('/etc/hostname', join(cwd, 'AGENTS.md'));
  assert.is(await readCheckoutMemory(cwd), '');
  await prepared[Symbol.asyncDispose]();
});

test('a command line keeps quoted blanks together', async () => {
  const { prepared, made } = await planLaunch('custom');
  assert.equal([made.program, ...made.args], ['agent', '--stdio', 'two words']);
  await prepared[Symbol.asyncDispose]();
});

test('a server that the agent cannot reach, or whose tools it cannot be restricted to, is left out with a message (TOOL-10)', async () => {
  await using prepared = await prepare(null);
  const tools = prepared.request.tools;
  const narrow = server({ id: 'narrow', disallowedTools: ['drop'] });
  const far = server({ id: 'far', transport: 'sse' });
  const own = server({ id: 'own', transport: 'stdio', command: 'own', env: { K: 'v' } });
  const passed = buildAcpServers(
    { ...prepared.request, mcpServers: [narrow, far, own] },
    { http: true },
    { narrows: false, readsServers: false, env: {}, secrets: [] },
  );
  assert.equal(passed.ids, ['own']);
  assert.equal(passed.servers, [
    {
      type: 'http',
      name: 'svc',
      url: tools.url,
      headers: [{ name: 'Authorization', value: 'Bearer tool-token' }],
    },
    { name: 'own', command: 'own', args: [], env: [{ name: 'K', value: 'v' }] },
  ]);
  assert.equal(passed.notes, [
    'The tool server narrow was left out: the agent cannot be restricted to some of its tools.',
    'The tool server far was left out: the agent does not support sse servers.',
  ]);
});

test.run();
