import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Session } from '../../../src/contract/session/executor.ts';
import { DEFAULT_CALL_LIMITS } from '../../../src/base/limits/loopLimits.ts';
import { SessionWatch } from '../../../src/sessions/limits/sessionWatch.ts';

const test = suite('a session that repeats itself');

function openWatch(folds: boolean) {
  const [lines, notes] = [[] as string[], [] as string[]];
  const watch = new SessionWatch({
    limits: DEFAULT_CALL_LIMITS,
    now: () => 0,
    screen: (text) => text.replace('secret', '…'),
    log: async (line) => void lines.push(line),
    folds,
  });
  const steering: Partial<NonNullable<Session['steering']>> = {
    send: (messages) => void notes.push(...messages.map(({ text }) => text)),
  };
  watch.watch({ steering } as Session);
  const call = (failing: readonly string[] | null = null) => {
    const event = { id: '1', name: 'shell', ok: true, print: 'same' };
    watch.onCall({ ...event, at: 'start', failing: null });
    watch.onCall({ ...event, at: 'end', failing });
  };
  return { watch, call, lines, notes };
}

test('an agent that takes messages within its turn gets a note, and the log a line (JOB-16)', () => {
  const { call, lines, notes } = openWatch(true);
  for (let n = 0; n < 5; n++) call();
  assert.equal(lines, ['warned: The same call of shell had the same answer, 3 times.']);
  assert.equal(notes, [
    '[process note] The same call of shell had the same answer, 3 times. It will not change by being repeated: do something else, or call escalate where you cannot continue.',
  ]);
});

test('an agent whose conversation stays full is asked to continue in a new session (JOB-16)', () => {
  const { watch, notes } = openWatch(true);
  for (let n = 0; n < 4; n++) watch.onFold({ freed: 0.02 });
  assert.equal(notes, [
    '[process note] The conversation was folded again and again, and hardly anything was freed, 2 times. Write down what matters, such as in work items and artefacts, and call request_new_session to continue with an empty conversation.',
  ]);
});

test('of another agent the log alone has it', () => {
  const { call, lines, notes } = openWatch(false);
  for (let n = 0; n < 5; n++) call();
  assert.is(lines.length, 1);
  assert.equal(notes, []);
});

test('what failed is what the last run of tests has shown, with secrets taken out', () => {
  const { watch, call } = openWatch(true);
  assert.is(watch.failing, undefined);
  call(['a secret test', 'b']);
  call();
  assert.equal([watch.failing?.count, watch.failing?.first], [2, 'a … test']);
  call([]);
  assert.is(watch.failing, undefined);
});

test('what the program of an agent prints counts as shown, whichever was last', () => {
  const { watch, call } = openWatch(false);
  const print = (...lines: string[]) => {
    for (const line of lines) watch.onEvent({ type: 'log', stream: 'stdout', line });
  };
  print('FAILED tests/test_a.py::test_a - boom');
  assert.is(watch.failing, undefined, 'no run has ended');
  print('\u001b[31m1 failed, 3 passed in 0.12s\u001b[0m');
  assert.is(watch.failing?.first, 'tests/test_a.py::test_a');
  call(['b']);
  assert.is(watch.failing?.first, 'b');
  print('4 passed in 0.10s');
  assert.is(watch.failing, undefined);
});

test('lines of svc itself are no output of a program', () => {
  const { watch } = openWatch(false);
  for (const line of ['not ok 1 - a', '1..1'])
    watch.onEvent({ type: 'log', stream: 'control', line });
  assert.is(watch.failing, undefined);
});

test.run();
