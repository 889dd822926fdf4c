import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { SessionResult } from '../../../src/contract/session/executor.ts';
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
  return last.explain(result);
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

test('only the last call counts', () => {
  const last = new LastCall();
  last.note(createRefusal(401));
  last.note(null);
  assert.is(last.explain(EXIT), EXIT);
});

test('a session that ended otherwise keeps its result, and so does a pause after a refusal', () => {
  const ended: SessionResult = { stopReason: 'end_turn', error: null, usage: null };
  assert.is(explainAfter(createRefusal(401), ended), ended);
  assert.is(explainAfter(createRefusal(401), PAUSE), PAUSE);
});

test.run();
