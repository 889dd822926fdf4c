import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT_CALL_LIMITS } from '../../../src/base/limits/loopLimits.ts';
import { CallRules } from '../../../src/sessions/limits/callRules.ts';

const test = suite('rules about repetition within a session');

interface Call {
  name?: string;
  args?: string;
  answer?: string;
  ok?: boolean;
  /** Seconds after the call before. */
  after?: number;
}

/** The warning after each call, or null. */
function judgeCalls(calls: readonly Call[], limits = DEFAULT_CALL_LIMITS): (string | null)[] {
  const rules = new CallRules(limits);
  let now = 0;
  return calls.map(({ name = 'shell', args = 'ls', answer = 'a', ok = true, after = 1 }, n) => {
    now += after * 1_000;
    const id = String(n);
    rules.call({ at: 'start', id, name, ok: true, print: args }, now);
    return rules.call({ at: 'end', id, name, ok, print: answer }, now);
  });
}

const times = (count: number, call: Call = {}): Call[] => Array.from({ length: count }, () => call);
const warnings = (calls: readonly Call[]): string[] =>
  judgeCalls(calls).filter((text) => text !== null);

test('the same call with the same answer is warned about at the third time, once (JOB-16)', () => {
  assert.equal(judgeCalls(times(6)), [
    null,
    null,
    'The same call of shell had the same answer, 3 times.',
    null,
    null,
    null,
  ]);
});

test('another answer, or other arguments, is another call', () => {
  assert.equal(warnings([{}, {}, { answer: 'b' }, { args: 'pwd' }, { answer: 'c' }]), []);
});

test('calls of other tools in between do not reset it', () => {
  const other = (n: number): Call => ({ name: 'read', args: `file ${n}` });
  assert.is(warnings([{}, other(1), {}, other(2), {}]).length, 1);
});

test('an edit in between resets it', () => {
  const edit: Call = { name: 'mcp__files__edit', args: 'x' };
  assert.equal(warnings([{}, {}, edit, {}, {}, edit, {}]), []);
});

test('calls side by side count as one: the agent has seen no answer yet', () => {
  const rules = new CallRules(DEFAULT_CALL_LIMITS);
  const call = { name: 'read', ok: true, print: 'same' };
  for (const id of ['1', '2', '3', '4']) rules.call({ ...call, at: 'start', id }, 0);
  const texts = ['1', '2', '3', '4'].map((id) => rules.call({ ...call, at: 'end', id }, 0));
  assert.equal(texts, [null, null, null, null]);
});

test('a tool that waits may be asked again after 30 seconds; sooner it is sent to await_event', () => {
  const poll = (after: number): Call => ({ name: 'mcp__svc__sub_run_status', after });
  assert.equal(warnings(times(10, poll(30))), []);
  assert.equal(warnings(times(3, poll(29))), [
    'The same call of mcp__svc__sub_run_status had the same answer, 3 times. Use await_event to wait: it costs nothing.',
  ]);
});

test('the same error is warned about at the third time, whatever the call was', () => {
  const fails = (args: string): Call => ({ args, ok: false, answer: 'no such file' });
  assert.equal(warnings([fails('a'), fails('b'), fails('c'), fails('d')]), [
    'shell has failed with the same error, 3 times.',
  ]);
});

test('two calls in turn are warned about at the third pair, whatever they answer', () => {
  const pair = (n: number): Call[] => [
    { name: 'read', args: 'a', answer: `a${n}` },
    { name: 'shell', args: 'b', answer: `b${n}` },
  ];
  assert.equal(warnings([...pair(1), ...pair(2), ...pair(3), ...pair(4)]), [
    'The same two calls, of read and shell, follow each other, 3 times.',
  ]);
});

test('turns without a call are warned about at the third', () => {
  const rules = new CallRules(DEFAULT_CALL_LIMITS);
  assert.equal(
    [1, 2, 3, 4].map(() => rules.turn()),
    [null, null, 'The agent has answered without any tool call, 3 times', null],
  );
});

/** The warning at each fold, or null; `calls`: between it and the one before. */
function folded(folds: readonly { freed: number | null; calls?: number }[]): (string | null)[] {
  const rules = new CallRules(DEFAULT_CALL_LIMITS);
  let n = 0;
  return folds.map(({ freed, calls = 1 }) => {
    for (let k = 0; k < calls; k++) {
      n += 1;
      const call = { id: String(n), name: 'read', ok: true, print: `file ${n}` };
      rules.call({ ...call, at: 'start' }, 0);
      rules.call({ ...call, at: 'end' }, 0);
    }
    return rules.fold(freed);
  });
}

const THRASHES =
  'The conversation was folded again and again, and hardly anything was freed, 2 times.';

test('the second fold in a row that frees less than a tenth is warned about, once (JOB-16)', () => {
  assert.equal(folded([{ freed: 0.09 }, { freed: 0.05 }, { freed: 0.01 }]), [null, THRASHES, null]);
});

test('a fold that frees a tenth or more begins the count again', () => {
  assert.equal(folded([{ freed: 0.05 }, { freed: 0.1 }, { freed: 0.05 }]), [null, null, null]);
});

test('of an agent that does not say what was freed, a fold soon after another counts', () => {
  const unknown = (calls: number) => ({ freed: null, calls });
  assert.equal(folded([unknown(1), unknown(4), unknown(4)]), [null, null, THRASHES]);
  assert.equal(folded([unknown(1), unknown(5), unknown(5)]), [null, null, null]);
});

test('0 turns a rule off', () => {
  const off = { calls: 0, errors: 0, pingPong: 0, silence: 0, folds: 0 };
  assert.equal(new Set(judgeCalls(times(8), off)), new Set([null]));
});

test.run();
