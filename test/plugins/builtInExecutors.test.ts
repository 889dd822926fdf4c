import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock.ts';
import { BuiltInDesk } from '../../src/plugins/builtInDesk.ts';
import { openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { prepare } from '../support/agents/sessionRequest.ts';

const test = suite('plugins built-in executors');

const deskOf = async (
  settings: Record<string, { enabled?: boolean; config?: Record<string, unknown> }>,
  hostEnv = {},
) => {
  const executors = await openBuiltInExecutors({ clock: systemClock, settings });
  const desk = new BuiltInDesk({
    version: '1',
    executors,
    settings,
    hostEnv,
    clock: systemClock,
    answerMs: 5_000,
  });
  return { executors, desk };
};

test('settings that are wrong make one executor unusable, with the reason at its health and its run, and no other', async () => {
  const { executors, desk } = await deskOf({
    acp: { config: { preset: 'nobody' } },
    claude: { enabled: false },
  });
  const states = desk.views().map(({ id, health }) => [id, health.state]);
  assert.equal(Object.fromEntries(states).acp, 'unhealthy');
  assert.equal(Object.fromEntries(states).claude, 'disabled');
  assert.equal(Object.fromEntries(states).command, 'healthy');
  assert.equal(
    Object.fromEntries(states).builtin,
    'unchecked',
    'nobody has looked whether there is an endpoint',
  );
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
  assert.match(
    (await refusal('claude')) ?? '',
    /is switched off: plugins\.installed\.claude\.enabled/,
  );
});

test('the health of an executor whose package is not installed says what to install', async () => {
  const { desk } = await deskOf({
    claude: { config: { apiKey: 'canary-model-key', sdkDir: '/no/such/folder' } },
  });
  const { state, detail } = await desk.healthcheck('claude');
  assert.is(state, 'unhealthy');
  assert.match(detail, /npm install @anthropic-ai\/claude-agent-sdk/);
});

test('keys that the environment of the runner holds are found for built-in plugins too', async () => {
  const { desk } = await deskOf({}, { GEMINI_API_KEY: 'g' });
  assert.equal(desk.detectAuth('acp'), [{ setting: 'geminiApiKey', env: 'GEMINI_API_KEY' }]);
  assert.equal(desk.foundSecrets('acp'), { geminiApiKey: 'g' });
});

test.run();
