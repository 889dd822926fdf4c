import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/base/time/clock.ts';
import { BuiltInService } from '../../src/plugins/builtInService.ts';
import { openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { prepare } from '../support/agents/sessionRequest.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const test = suite('plugins built-in executors');

const createService = async (
  settings: Record<string, { enabled?: boolean; config?: Record<string, unknown> }>,
  hostEnv = {},
) => {
  const executors = await openBuiltInExecutors({ clock: systemClock, settings });
  const host = new BuiltInService({
    screen: unscreened,
    version: '1',
    executors,
    settings,
    hostEnv,
    clock: systemClock,
    answerMs: 5_000,
  });
  return { executors, host };
};

test('settings that are wrong make one executor unusable, with the reason at its health and its run, and no other', async () => {
  const { executors, host } = await createService({
    acp: { config: { preset: 'unknown' } },
    claude: { enabled: false },
  });
  const states = host.views().map(({ id, health }) => [id, health.state]);
  assert.equal(Object.fromEntries(states).acp, 'unhealthy');
  assert.equal(Object.fromEntries(states).claude, 'disabled');
  assert.equal(Object.fromEntries(states).command, 'healthy');
  assert.equal(Object.fromEntries(states).builtin, 'unchecked', 'the endpoint was not checked yet');
  await using prepared = await prepare(null);
  const refusal = async (id: string) =>
    executors
      .find((one) => one.id === id)
      ?.run(prepared.request)
      .then(
        () => 'it ran',
        (error: Error) => error.message,
      );
  assert.match(
    (await refusal('acp')) ?? '',
    /cannot be used\. .*"preset" must be one of opencode, gemini/,
  );
  assert.match((await refusal('claude')) ?? '', /is disabled: plugins\.installed\.claude\.enabled/);
});

test('the health of an executor whose package is not installed says what to install', async () => {
  const { host } = await createService({
    claude: { config: { apiKey: 'canary-model-key', sdkDir: '/no/such/folder' } },
  });
  const { state, detail } = await host.healthcheck('claude');
  assert.is(state, 'unhealthy');
  assert.match(detail, /npm install @anthropic-ai\/claude-agent-sdk/);
});

test('keys that the environment of the runner holds are found for built-in plugins too', async () => {
  const { host } = await createService({}, { GEMINI_API_KEY: 'g' });
  assert.equal(host.detectAuth('acp'), [{ setting: 'geminiApiKey', env: 'GEMINI_API_KEY' }]);
  assert.equal(host.foundSecrets('acp'), { geminiApiKey: 'g' });
});

test('an executor holds chats as its plugin does, until it is switched off', async () => {
  const { executors } = await createService({});
  const one = (id: string) => executors.find((executor) => executor.id === id);
  const need = (provider: string) => ({
    llm: { provider, model: null, reasoningEffort: null },
    command: null,
  });
  const holding = executors.filter(({ chat }) => chat !== undefined).map(({ id }) => id);
  assert.equal(holding.toSorted(), ['acp', 'builtin', 'claude']);
  assert.is(one('acp')?.cannotChat(need('acp:opencode')), null);
  assert.match(one('acp')?.cannotChat(need('acp:codex')) ?? '', 'spawn_agent');
  await one('builtin')?.takeUp({ enabled: false });
  assert.is(one('builtin')?.chat, undefined);
  assert.match(one('builtin')?.cannotChat(need('builtin')) ?? '', /is disabled/);
});

test.run();
