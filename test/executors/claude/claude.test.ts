import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClaudeExecutor } from '../../../src/executors/claude/createClaudeExecutor.ts';
import { loadSdk } from '../../../src/executors/claude/sdk.ts';
import type { SessionRequest } from '../../../src/contract/session/executor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { SvcError } from '../../../src/base/errors/errors.ts';
import { type FakeSdk, fakeSdk, type Program, says } from '../../support/agents/fakeClaudeSdk.ts';
import { type Prepared, prepare } from '../../support/agents/sessionRequest.ts';

const test = suite('executor claude');

const KEY = 'canary-model-key';

async function open(program: Program, more: Partial<SessionRequest> = {}, version = '0.3.329') {
  const sdk = fakeSdk(program);
  const prepared = await prepare(null, {
    llm: { provider: 'claude', model: null, reasoningEffort: null },
    ...more,
  });
  await mkdir(prepared.request.overlayDir);
  const load = () => Promise.resolve({ sdk, version });
  const executor = createClaudeExecutor({
    clock: systemClock,
    config: { apiKey: KEY },
    graceMs: 100,
    load,
  });
  const session = await executor.run(prepared.request);
  const { steering } = session;
  if (!steering) throw new Error('it cannot be steered');
  return {
    sdk,
    prepared,
    session,
    steering,
    [Symbol.asyncDispose]: () => prepared[Symbol.asyncDispose](),
  };
}

const turns = ({ events }: Prepared) =>
  events.flatMap((event) => (event.type === 'turn' ? [event.stopReason] : []));
const states = ({ events }: Prepared) =>
  events.flatMap((event) => (event.type === 'message' ? [`${event.id} ${event.state}`] : []));
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await new Promise(setImmediate);
};
const getLastCall = (sdk: FakeSdk) => sdk.calls.at(-1);

/** Answers each message with a turn of its own. */
const dutiful: Program = async function* ({ next }) {
  for (let item = await next(); item; item = await next()) {
    yield* [says.started(item), says.init(), says.begin(), says.text('Yes.'), says.result()];
  }
};

test('the input stays open from turn to turn until it is closed; what began a turn is delivered and acknowledged once (STR-1)', async () => {
  await using one = await open(dutiful);
  await until(() => turns(one.prepared).length === 1);
  one.steering.send([
    { id: 'm1', text: 'First.' },
    { id: 'm2', text: 'Second.' },
  ]);
  await until(() => turns(one.prepared).length === 2);
  one.steering.close();
  assert.equal(await one.session.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.equal(one.sdk.calls, ['got Begin.', 'got First.\n\nSecond.', 'input closed']);
  assert.equal(states(one.prepared), [
    'kickoff delivered',
    'kickoff acknowledged',
    'm1 delivered',
    'm2 delivered',
    'm1 acknowledged',
    'm2 acknowledged',
  ]);
  assert.equal(
    one.prepared.events.filter(({ type }) => type === 'session'),
    [{ type: 'session', id: 'session-1' }],
  );
});

test('a message folded into a running turn is answered by it; the input closes after that one result (STR-2)', async () => {
  await using one = await open(async function* ({ next }) {
    const kickoff = await next();
    if (kickoff)
      yield* [says.started(kickoff), says.begin(), says.use('t1', 'Bash', { command: 'sleep 1' })];
    const message = await next();
    if (message)
      yield* [
        says.queued(message),
        says.used('t1', 'slept'),
        says.started(message),
        says.begin(),
        says.result(),
      ];
    await next();
  });
  await until(() => one.prepared.events.some(({ type }) => type === 'tool'));
  one.steering.send([{ id: 'm1', text: 'Faster.' }]);
  one.steering.close();
  assert.is((await one.session.result).stopReason, 'end_turn');
  assert.equal(turns(one.prepared), ['end_turn']);
  assert.equal(getLastCall(one.sdk), 'input closed');
});

test('a message that comes with the last words gets a turn of its own before the input closes', async () => {
  await using one = await open(async function* ({ next }) {
    const kickoff = await next();
    if (kickoff) yield* [says.started(kickoff), says.begin(), says.text('Bye')];
    const message = await next();
    if (message)
      yield* [
        says.queued(message),
        says.result(),
        says.started(message),
        says.begin(),
        says.result(),
      ];
    await next();
  });
  await until(() => one.prepared.events.some(({ type }) => type === 'token'));
  one.steering.send([{ id: 'm1', text: 'Wait.' }]);
  one.steering.close();
  assert.is((await one.session.result).stopReason, 'end_turn');
  assert.equal(turns(one.prepared), ['end_turn', 'end_turn']);
  assert.equal(states(one.prepared).slice(2), ['m1 delivered', 'm1 acknowledged']);
  assert.equal(one.sdk.calls, ['got Begin.', 'got Wait.', 'input closed']);
});

test('an interrupt is acknowledged, is no error, and the session continues; a frozen program does not acknowledge it (STR-4)', async () => {
  const cut = {
    subtype: 'error_during_execution',
    is_error: true,
    stop_reason: null,
    terminal_reason: 'aborted_streaming',
  };
  await using one = await open(async function* ({ next, interrupted }) {
    const kickoff = await next();
    if (kickoff) yield* [says.started(kickoff), says.begin()];
    await interrupted();
    yield says.result({ ...cut, errors: ['[ede_diagnostic] x'] });
    const message = await next();
    if (message) yield* [says.started(message), says.begin(), says.result()];
    await next();
  });
  await until(() => states(one.prepared).length === 2);
  one.sdk.acknowledges = false;
  assert.is(await one.steering.interrupt(20), false);
  one.sdk.acknowledges = true;
  assert.is(await one.steering.interrupt(5_000), true);
  await until(() => turns(one.prepared).length === 1);
  assert.is(await one.steering.interrupt(5_000), true, 'between turns at once');
  one.steering.send([{ id: 'm1', text: 'Otherwise.' }]);
  one.steering.close();
  assert.is((await one.session.result).stopReason, 'end_turn');
  assert.equal(turns(one.prepared), ['interrupted', 'end_turn']);
});

const ENDINGS: readonly (readonly [
  result: Record<string, unknown>,
  stop: string,
  error: string | null,
])[] = [
  [{ stop_reason: 'tool_use', terminal_reason: 'aborted_tools' }, 'interrupted', null],
  [{ stop_reason: 'pause_turn' }, 'pause_turn', null],
  [{ stop_reason: 'max_tokens' }, 'max_tokens', null],
  [{ stop_reason: 'refusal' }, 'refusal', null],
  [{ stop_reason: null }, 'end_turn', null],
  [{ subtype: 'error_max_turns', is_error: true }, 'max_turns', null],
  [
    { is_error: true, terminal_reason: 'api_error', api_error_status: 400, result: 'API Error' },
    'error',
    'API Error (HTTP 400)',
  ],
  [
    { subtype: 'error_during_execution', is_error: true, result: '', errors: ['it broke'] },
    'error',
    'it broke',
  ],
];

test('results are reported in the runner’s terms; the error that the iterator throws after one changes nothing', async () => {
  for (const [result, stop, error] of ENDINGS) {
    await using one = await open(async function* ({ next }) {
      const kickoff = await next();
      if (kickoff) yield* [says.started(kickoff), says.begin(), says.result(result)];
      await next();
      if (result.is_error === true) throw new Error('Claude Code returned an error result');
    });
    one.steering.close();
    await one.session.result;
    assert.equal(
      one.prepared.events.filter(({ type }) => type === 'turn'),
      [{ type: 'turn', stopReason: stop, error }],
    );
  }
});

test('usage that the program counts up is reported as differences', async () => {
  const model = (inputTokens: number, outputTokens: number) => ({
    modelUsage: {
      m: { inputTokens, outputTokens, cacheReadInputTokens: 5, cacheCreationInputTokens: 1 },
    },
  });
  await using one = await open(async function* ({ next }) {
    const kickoff = await next();
    if (kickoff) yield* [says.started(kickoff), says.begin(), says.result(model(100, 10))];
    const message = await next();
    if (message) yield* [says.started(message), says.begin(), says.result(model(150, 30))];
    await next();
  });
  await until(() => turns(one.prepared).length === 1);
  one.steering.send([{ id: 'm1', text: 'More.' }]);
  one.steering.close();
  assert.equal((await one.session.result).usage, {
    inputTokens: 156,
    outputTokens: 30,
    cachedInputTokens: 5,
    cacheWriteTokens: 1,
  });
  assert.equal(
    one.prepared.events.flatMap((event) =>
      event.type === 'usage' ? [event.usage.inputTokens] : [],
    ),
    [106, 50],
  );
});

test('a turn that fails before the model answers is over, also where the program reports on no messages', async () => {
  await using one = await open(
    async function* ({ next }) {
      await next();
      const error = { type: 'assistant', error: 'invalid_request', message: { content: [] } };
      yield* [says.init(), error, says.result({ is_error: true, result: 'the reason' })];
      await next();
    },
    {},
    '0.2.112',
  );
  one.steering.close();
  assert.is((await one.session.result).stopReason, 'error');
});

test('a key that is refused ends the session at the first try and not after minutes of them', async () => {
  await using one = await open(async function* ({ next }) {
    await next();
    yield { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 401 };
    await next();
  });
  const { stopReason, error } = await one.session.result;
  assert.is(stopReason, 'error');
  assert.match(
    error ?? '',
    /refuses the key \(401\)\. Check plugins\.installed\.claude\.config\.apiKey/,
  );
});

test('a session that no longer exists starts afresh, and the log reports it', async () => {
  let runs = 0;
  const program: Program = async function* (part) {
    runs += 1;
    if (part.options.resume === undefined) return yield* dutiful(part);
    yield says.result({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['No conversation found with session ID: x'],
    });
    throw new Error('exit 1');
  };
  await using one = await open(program, { resume: 'x' });
  one.steering.close();
  assert.is((await one.session.result).stopReason, 'end_turn');
  assert.equal(runs, 2);
  assert.equal(turns(one.prepared), ['end_turn']);
  assert.equal(one.prepared.lines('control'), [
    'The agent’s earlier session no longer exists; a new one is started.',
  ]);
});

test('the program gets its servers, its tools and its key so that no other user can read them, and only what the phase allows', async () => {
  let options: Parameters<Program>[0]['options'] | undefined;
  await using one = await open(
    async function* (part) {
      options = part.options;
      yield* dutiful(part);
    },
    { builtInTools: ['read', 'shell'] },
  );
  one.steering.close();
  await one.session.result;
  const {
    tools,
    allowedTools,
    permissionMode,
    mcpServersDelivery,
    settingSources,
    projectConfigRoot,
    systemPrompt,
  } = options ?? {};
  assert.equal(
    {
      tools,
      allowedTools,
      permissionMode,
      mcpServersDelivery,
      settingSources,
      projectConfigRoot,
      systemPrompt,
    },
    {
      tools: ['Read', 'Bash'],
      allowedTools: ['mcp__svc', 'Read', 'Bash'],
      permissionMode: 'dontAsk',
      mcpServersDelivery: 'initialize',
      settingSources: ['project'],
      projectConfigRoot: one.prepared.request.overlayDir,
      systemPrompt: { type: 'custom', prompt: 'You are careful.', snapshot: false },
    },
  );
});

test('without the SDK the session is refused and the health check says what to install', async () => {
  const executor = createClaudeExecutor({
    clock: systemClock,
    config: { apiKey: KEY, sdkDir: '/no/such/folder' },
  });
  await using prepared = await prepare(null);
  const refused = await executor.run(prepared.request).then(
    () => '',
    (error: Error) => error.message,
  );
  const { ok, detail } = await executor.healthcheck();
  assert.is(ok, false);
  for (const words of [refused, detail])
    assert.match(words, /npm install @anthropic-ai\/claude-agent-sdk/);
});

test('an SDK that cannot be loaded is named with its folder and the reason', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-sdk-'));
  const folder = join(dir, 'node_modules', '@anthropic-ai', 'claude-agent-sdk');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3", "main": "sdk.mjs" }');
  writeFileSync(join(folder, 'sdk.mjs'), "throw new Error('a file is missing');");
  const refused = await loadSdk(dir).then(
    () => null,
    (error: SvcError) => error,
  );
  rmSync(dir, { recursive: true });
  assert.is(refused?.code, 'not-possible-now');
  assert.is(refused?.message.includes(folder), true);
  assert.is(refused?.message.includes('a file is missing'), true);
});

test.run();
