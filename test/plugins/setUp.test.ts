import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ConfigSetCommand from '../../cli/commands/config/set.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { BUILT_INS } from '../../src/plugins/builtInCatalogue.ts';
import { createLackFinder } from '../../src/executors/process/createLackFinder.ts';
import { openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { adviseSetUp } from '../../src/plugins/setUp/adviseSetUp.ts';
import {
  pickFirstModel,
  findLocalEndpoints,
  parseOllamaPort,
} from '../../src/plugins/setUp/findLocalEndpoints.ts';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import type { SetUpAdvice } from '../../src/contract/schema/runner/setUp.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite<{ dir: string; bin: string; home: string }>('how agents are set up here');

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'svc-set-up-'));
  context.bin = join(context.dir, 'bin');
  context.home = join(context.dir, 'home');
  await mkdir(context.bin);
  await mkdir(context.home, { mode: 0o700 });
});
test.after.each(({ dir }) => rm(dir, { recursive: true, force: true }));

const program = async (bin: string, name: string) => {
  await writeFile(join(bin, name), '#!/bin/sh\n');
  await chmod(join(bin, name), 0o755);
};
const DEFAULT = [{ provider: 'command', key: 'llm.defaultProvider' }];

/** Words of a command line in which quotes stand only around whole words. */
const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/**
 * Runs what follows `svc config set` of the advice on the home; the runner's view of the executors
 * then.
 */
async function follow({ command }: SetUpAdvice, home: string) {
  const [, line = ''] = (command ?? '').split('svc config set ');
  const { code, err } = await new CommandLine({ SVC_HOME: home }, 'a-key\n').run(
    ConfigSetCommand,
    words(line),
  );
  assert.is(code, 0, err);
  const { settings } = await loadSettings({
    env: { SVC_HOME: home },
    homeDir: home,
    flags: {},
    packageRoot: join(import.meta.dirname, '../..'),
  });
  const executors = await openBuiltInExecutors({ clock: systemClock, settings: settings.plugins });
  const { defaultProvider } = settings.llm;
  return {
    provider: defaultProvider,
    lacks: createLackFinder(() => executors)(
      { provider: defaultProvider, model: null, reasoningEffort: null },
      null,
    ),
  };
}

const listening = async (answer: unknown): Promise<{ server: Server; host: string }> => {
  const server = createServer((_request, response) => response.end(JSON.stringify(answer)));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

test('a model server on loopback is found by OLLAMA_HOST, and its command sets the builtin agent up', async ({
  home,
  bin,
}) => {
  const { server, host } = await listening({
    data: [{ id: 'nomic-embed-text' }, { id: 'bad id; rm -rf' }, { id: 'qwen3:8b' }],
  });
  try {
    const hostEnv = { PATH: bin, OLLAMA_HOST: host };
    assert.equal((await findLocalEndpoints(hostEnv))[0], {
      name: 'Ollama',
      url: `http://${host}`,
      model: 'qwen3:8b',
    });
    const advice = await adviseSetUp(
      { home, hostEnv, plugins: {} },
      { wanting: DEFAULT, repo: null },
    );
    assert.match(advice.command ?? '', /^svc config set llm\.defaultProvider builtin /);
    assert.equal(await follow(advice, home), { provider: 'builtin', lacks: null });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a program whose key is in the environment is set up from there; the key is in no argument', async ({
  home,
  bin,
}) => {
  await program(bin, 'codex-acp');
  const hostEnv = { PATH: bin, OPENAI_API_KEY: 'sk-secret', OLLAMA_HOST: 'elsewhere.example' };
  const advice = await adviseSetUp(
    { home, hostEnv, plugins: {} },
    { wanting: [{ provider: 'acp:codex', key: null }], repo: null },
  );
  assert.is(
    advice.command,
    'printf %s "$OPENAI_API_KEY" | svc config set plugins.installed.acp.config.codexApiKey -',
  );
  assert.not.match(JSON.stringify(advice), 'sk-secret');
  const chosen = await adviseSetUp(
    { home, hostEnv, plugins: {} },
    { wanting: DEFAULT, repo: null },
  );
  assert.ok(chosen.found.includes('codex'));
});

test('what a chosen agent lacks is named, not another agent: its program, its key', async ({
  home,
  bin,
}) => {
  const advice = (plugins: Parameters<typeof adviseSetUp>[0]['plugins'], provider: string) =>
    adviseSetUp(
      { home, hostEnv: { PATH: bin }, plugins },
      { wanting: [{ provider, key: 'llm.defaultProvider' }], repo: null },
    );
  assert.is(
    (await advice({}, 'acp:gemini')).command,
    'npm install -g @google/gemini-cli && svc config set plugins.installed.acp.config.geminiApiKey -',
  );
  assert.is(
    (await advice({ acp: { config: { geminiApiKey: 'k' } } }, 'acp:gemini')).command,
    'npm install -g @google/gemini-cli',
  );
  await program(bin, 'gemini');
  assert.is(
    (await advice({}, 'acp:gemini')).command,
    'svc config set plugins.installed.acp.config.geminiApiKey -',
  );
  assert.match(
    (await advice({ claude: { enabled: false } }, 'claude')).command ?? '',
    'plugins.installed.claude.enabled true',
  );
  assert.is((await advice({}, 'acme')).command, null);
});

test('a repository that is missing is part of the same command; a name with dots is a JSON pointer', async ({
  home,
  bin,
}) => {
  const of = (repo: string) =>
    adviseSetUp({ home, hostEnv: { PATH: bin }, plugins: {} }, { wanting: [], repo });
  assert.is((await of('shop')).command, 'svc config set forges.local.repos.shop "$PWD"');
  assert.is((await of('docs.v2')).command, 'svc config set /forges/local/repos/docs.v2 "$PWD"');
});

test('only addresses of this machine are asked, and only plain ids of models are shown', () => {
  assert.equal(
    ['127.0.0.1:1', ':2', 'http://localhost:3', '0.0.0.0', 'gpu.example:4', ''].map(
      parseOllamaPort,
    ),
    [1, 2, 3, 11434, null, null],
  );
  assert.is(pickFirstModel({ data: [{ id: '$(x)' }, { id: 'a/b:c' }] }), 'a/b:c');
  assert.is(pickFirstModel({ data: 'x' }), null);
  assert.is(pickFirstModel(null), null);
});

test('every built-in executor says why it could not start, without being run', async ({ bin }) => {
  const lacks = async (
    provider: string,
    config: Record<string, unknown>,
    command: string[] | null = null,
    model: string | null = null,
  ) => {
    const id = provider.split(':')[0] ?? '';
    const executors = await openBuiltInExecutors({
      clock: systemClock,
      settings: { [id]: { config } },
    });
    return createLackFinder(() => executors)({ provider, model, reasoningEffort: null }, command);
  };
  assert.match((await lacks('command', {})) ?? '', 'has no `command:`');
  assert.is(await lacks('command', {}, ['sh']), null);
  assert.match((await lacks('builtin', {})) ?? '', 'no endpoint');
  assert.match((await lacks('builtin', { baseUrl: 'http://127.0.0.1:1' })) ?? '', 'no model');
  assert.is(await lacks('builtin', { baseUrl: 'http://127.0.0.1:1' }, null, 'm'), null);
  assert.match((await lacks('builtin', { baseUrl: 'nonsense' })) ?? '', 'is not a URL');
  assert.match(
    (await lacks('claude', { apiKey: 'k', sdkDir: bin })) ?? '',
    'neither Claude Code nor',
  );
  assert.match(
    (await lacks('acp:gemini', { geminiPath: join(bin, 'gemini'), geminiApiKey: 'k' })) ?? '',
    'was not found',
  );
  await program(bin, 'gemini');
  assert.match((await lacks('acp:gemini', { geminiPath: join(bin, 'gemini') })) ?? '', 'no key');
  assert.is(
    await lacks('acp:gemini', { geminiPath: join(bin, 'gemini'), geminiApiKey: 'k' }),
    null,
  );
  assert.match(
    (await lacks('acp:opencode', { opencodePath: join(bin, 'gemini') })) ?? '',
    'no model',
  );
  assert.match(
    (await lacks('acp:opencode', { opencodePath: join(bin, 'gemini') }, null, 'm')) ?? '',
    'no provider',
  );
  assert.match((await lacks('acp:custom', {})) ?? '', 'no program is set');
  assert.is(
    await lacks('acp:custom', {}, ['{layer}/agent']),
    null,
    'a placeholder is filled in later',
  );
  assert.ok(BUILT_INS.length > 0);
});

test.run();
