import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { SessionResult } from '../../../src/contract/session/executor.ts';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { PhaseTools } from '../../../src/executors/tools/host/phaseTools.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';
import type { CallProblem } from '../../../src/executors/tools/host/callProblem.ts';
import { createRefusalError } from '../../../src/providers/rest/refusal.ts';
import { LastCall } from '../../../src/sessions/open/lastCall.ts';

const test = suite('sessions: an exit after a call that another service refused');

const EXIT: SessionResult = {
  stopReason: 'error',
  error: 'sh ended with exit code 1.',
  fault: 'own-exit',
  exitCode: 1,
  usage: null,
};
const PAUSE: SessionResult = { stopReason: 'pause_turn', error: null, usage: null };
const SERVER = { host: 'forge.example', tokenSetting: 'plugins.installed.github.config.token' };

const explainAfter = (error: CallProblem, result: SessionResult = EXIT) => {
  const last = new LastCall();
  last.note(null);
  last.note(error);
  return last.addCause(result);
};

const createRefusal = (status: number) =>
  createRefusalError(SERVER, 'repository acme/shop', { status, message: 'no' });

for (const status of [302, 401, 403, 404, 405, 410, 422, 451])
  test(`${status} of a forge is for a person`, () => {
    assert.is(explainAfter(createRefusal(status)).fault, 'call-refused');
  });

for (const error of [
  createRefusal(503),
  new SvcError('rate-limited', 'later'),
  new SvcError('unreachable', 'no answer'),
])
  test(`${error.code} (${error.message}) is waited for`, () => {
    assert.is(explainAfter(error).fault, 'call-unanswered');
    const waits = explainAfter(error, PAUSE);
    assert.equal([waits.stopReason, waits.fault], ['error', 'call-unanswered']);
  });

test('a mistake of the program stays one', () => {
  for (const code of ['bad-argument', 'conflict', 'not-found'] as const)
    assert.is(explainAfter(new SvcError(code, 'which?')), EXIT);
});

test('a time limit after a refused call is for a person: the program has repeated the call', () => {
  const over: SessionResult = { stopReason: 'limit', error: 'The time is over.', usage: null };
  const { stopReason, fault } = explainAfter(createRefusal(403), over);
  assert.equal([stopReason, fault], ['error', 'call-refused']);
});

test('a person reads the refusal that the program did not print', () => {
  assert.match(
    explainAfter(createRefusal(403)).error ?? '',
    /exit code 1\. .*repository acme\/shop/,
  );
});

test('a report of the failure by a tool of the job does not hide its cause', async () => {
  const last = new LastCall();
  const failing = new PhaseTools(new FakeJobPort(), ['local'], () => {}, {
    clock: systemClock,
    awaySince: neverAway,
    screen: unscreened,
    onOutcome: last.note,
  });
  last.note(createRefusal(401));
  await failing.call('add_insight', { content: 'the forge refuses' });
  assert.is(last.addCause(EXIT).fault, 'call-refused');
});

for (const [name, fault] of [
  ['gitlab_create_pr', 'call-refused'],
  ['goto_phase', 'call-refused'],
  ['goto_fase', 'own-exit'],
] as const)
  test(`an exit after ${name}, which the phase does not have, is ${fault}`, async () => {
    const last = new LastCall();
    const restricted = new PhaseTools(new FakeJobPort(), ['local'], () => {}, {
      clock: systemClock,
      awaySince: neverAway,
      screen: unscreened,
      onOutcome: last.note,
      allowed: ['log'],
    });
    await restricted.call(name, {});
    assert.is(last.addCause(EXIT).fault, fault);
  });

test('only the last call counts', () => {
  const last = new LastCall();
  last.note(createRefusal(401));
  last.note(null);
  assert.is(last.addCause(EXIT), EXIT);
});

test('a session that ended otherwise keeps its result, and so does a pause after a refusal', () => {
  const result: SessionResult = { stopReason: 'end_turn', error: null, usage: null };
  assert.is(explainAfter(createRefusal(401), result), result);
  assert.is(explainAfter(createRefusal(401), PAUSE), PAUSE);
});

test.run();
