import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Silence } from '../../../src/executors/process/silence.ts';
import { readTurnLimits, TurnWatch } from '../../../src/executors/process/turnWatch.ts';
import { readPromptEnd } from '../../../src/executors/acp/agentLink.ts';
import { readPromptUsage } from '../../../src/executors/acp/readPromptUsage.ts';
import { isDump } from '../../../src/executors/acp/presets/opencode.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('what an agent does within a turn');

const watch = (countsCalls = false) => {
  const said: string[] = [];
  const limits = { maxTurns: 3, maxRepeatedFailures: 2 };
  const onLimit = (error: string) => void said.push(error);
  return { said, watch: new TurnWatch({ plugin: 'x', limits, countsCalls, onLimit }) };
};

test('the same call that fails counts until another one succeeds, whatever fails between', () => {
  const { said, watch: turn } = watch();
  const call = (input: string, ok: boolean) => {
    turn.callBegan('1', 'shell', { input });
    turn.callEnded('1', 'shell', ok);
  };
  turn.turnBegan();
  for (const [input, ok] of [
    ['a', false],
    ['b', true],
    ['a', false],
    ['c', false],
  ] as const)
    call(input, ok);
  assert.equal(said, []);
  call('a', false);
  assert.equal(said, [
    'The same call of shell failed 2 times while no other succeeded, the most that plugins.installed.x.config.maxRepeatedFailures allows.',
  ]);
});

test('calls at the same time are one request where the agent does not show its requests', () => {
  const { said, watch: turn } = watch(true);
  turn.turnBegan();
  for (const id of ['1', '2', '3', '4', '5']) turn.callBegan(id, 'read', id);
  for (const id of ['1', '2', '3', '4', '5']) turn.callEnded(id, 'read', true);
  assert.equal(said, []);
  for (const id of ['6', '7', '8']) {
    turn.callBegan(id, 'read', id);
    turn.callEnded(id, 'read', true);
  }
  assert.is(said.length, 1);
  assert.match(said[0] ?? '', 'asked its model 3 times in one turn');
});

test('limits have defaults, and what is no count is the default', () => {
  assert.equal(readTurnLimits({}), { maxTurns: 200, maxRepeatedFailures: 10 });
  assert.equal(readTurnLimits({ maxTurns: 7, maxRepeatedFailures: 0 }), {
    maxTurns: 7,
    maxRepeatedFailures: 10,
  });
});

test('silence of a model is reported after a minute, then after two and four, and not while a tool works', () => {
  const clock = new SimulatedClock();
  const lines: string[] = [];
  const silence = new Silence(clock, (line) => void lines.push(line));
  silence.heard();
  clock.advance(59_000);
  silence.heard();
  clock.advance(59_999);
  assert.equal(lines, []);
  clock.advance(180_001);
  assert.equal(
    lines.map((line) => /for (\d+) s/.exec(line)?.[1]),
    ['60', '120', '240'],
  );
  silence.stop();
  clock.advance(1_000_000);
  assert.is(lines.length, 3);
});

test('input of an ACP agent is all input: what a cache held is part of it, or is added to it', () => {
  const usage = (more: object) => readPromptUsage({ usage: { outputTokens: 10, ...more } });
  const all = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 60, cacheWriteTokens: 30 };
  const whole = { usage: all, problem: null };
  const cached = { cachedReadTokens: 60, cachedWriteTokens: 30 };
  assert.equal(usage({ inputTokens: 10, totalTokens: 110, ...cached }), whole);
  assert.equal(usage({ inputTokens: 100, totalTokens: 110, ...cached }), whole);
  assert.equal(usage({ inputTokens: 10, thoughtTokens: 5, totalTokens: 115, ...cached }), {
    usage: { ...all, outputTokens: 15, reasoningTokens: 5 },
    problem: null,
  });
  assert.is(readPromptUsage({}), null);
});

test('an answer that was cut or refused is no end of a turn, whatever the protocol calls it', () => {
  const ends = [
    readPromptEnd('end_turn', 'length', false),
    readPromptEnd('end_turn', 'content-filter', false),
    readPromptEnd('end_turn', 'stop', true),
    readPromptEnd('end_turn', '', false),
    readPromptEnd('cancelled', 'length', true),
  ];
  assert.equal(
    ends.map(([stop]) => stop),
    ['max_tokens', 'refusal', 'empty', 'end_turn', 'interrupted'],
  );
  assert.is(readPromptEnd('other', '', false)[0], 'error');
});

test('the dump of a failed request is left out of the log, and what follows it is not', () => {
  const lines = [
    'before',
    'Error handling request {',
    '  id: 2,',
    '} {',
    '  code: 1,',
    '}',
    'after',
  ];
  const isNoise = isDump();
  assert.equal(
    lines.filter((line) => !isNoise(line)),
    ['before', 'after'],
  );
});

test.run();
