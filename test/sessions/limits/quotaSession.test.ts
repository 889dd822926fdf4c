import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { QuotaContext } from '../../../machines/index.ts';
import type { SessionResult } from '../../../src/contract/session/executor.ts';
import { DEFAULT_START_LIMIT } from '../../../src/base/limits/loopLimits.ts';
import { SESSION_FAULTS, type SessionFault } from '../../../src/base/errors/sessionFaults.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Send } from '../../../src/kernel/contract.ts';
import { QuotaSession } from '../../../src/sessions/limits/quotaSession.ts';

const test = suite('sessions that fail at once, and their pool');

const POOL = 'pool:anthropic:https://api.example:0123456789ab';

/** A session of job `b` at a pool at which `count` sessions of job `a` have failed before. */
function session(count: number, value = 'open', closed: QuotaContext['closed'] = null) {
  const reported: Send['event'][] = [];
  let now = 0;
  const failing = count === 0 ? undefined : { count, job: 'a', others: false };
  const state: ActorState = {
    id: POOL,
    chart: 'quota',
    seq: 1,
    value,
    tags: [],
    status: 'active',
    context: { pool: POOL, closed, use: null, failures: 0, wave: 1, failing },
  };
  const kernel = {
    state: () => state,
    submit: async ({ sends = [] }: { sends?: readonly Send[] }) =>
      void reported.push(...sends.map(({ event }) => event)),
  };
  const deps = {
    kernel: kernel as never,
    now: () => now,
    chance: () => 0,
    starts: () => DEFAULT_START_LIMIT,
    onError: () => {},
  };
  const pool = new QuotaSession(deps, POOL, 'b', {});
  const end = (stopReason: SessionResult['stopReason'], seconds = 1, fault?: SessionFault) => {
    now = seconds * 1_000;
    const error = stopReason === 'end_turn' ? null : '401 invalid key';
    return pool.end({ stopReason, error, usage: null, ...(fault ? { fault } : {}) });
  };
  return { pool, reported, end };
}

test('the fifth in a row waits for its pool instead of failing (JOB-16)', () => {
  const { stopReason, limit, sends } = session(4).end('error');
  assert.is(stopReason, 'quota');
  assert.equal(limit, {
    resetsAt: 901_000,
    quota: { kind: 'failing', window: null },
    pool: POOL,
  });
  assert.equal(
    sends.map(({ to, event }) => [to, event.type]),
    [[POOL, 'quota.failed']],
  );
});

test('so does one that dies', () => {
  assert.is(session(4).end('died').stopReason, 'quota');
});

for (const [fault, { ofAccount }] of Object.entries(SESSION_FAULTS))
  test(`an error of the kind ${fault} ${ofAccount ? 'counts' : 'never counts'} against the account`, () => {
    const { stopReason, sends } = session(4).end('error', 1, fault as SessionFault);
    assert.equal([stopReason, sends.length], ofAccount ? ['quota', 1] : ['error', 0]);
  });

test('what is wrong with one request, or with the disk of the runner, is not of the account', () => {
  const kinds = Object.entries(SESSION_FAULTS).filter(([, { ofAccount }]) => !ofAccount);
  assert.equal(
    kinds.map(([kind]) => kind),
    [
      'call-refused',
      'call-unanswered',
      'not-here',
      'not-written',
      'request-refused',
      'server-away',
      'server-not-started',
      'server-refused',
    ],
  );
});

test('one before it ends as it has ended', () => {
  assert.is(session(3).end('error').stopReason, 'error');
});

test('the third is warned about in the log of its job', () => {
  assert.is(
    session(2).end('error').warning,
    `warned: 3 sessions of ${POOL} have ended one after another within 20 s with an error; at 5, of more than one job, all jobs of the account wait`,
  );
  assert.is(session(1).end('error').warning, null);
});

test('an error after 20 seconds is not counted', () => {
  assert.equal(session(4).end('error', 20).sends, []);
});

test('a session that ends well tells the pool so', () => {
  const { end, reported } = session(4);
  end('end_turn');
  assert.equal(
    reported.map(({ type }) => type),
    ['quota.worked'],
  );
});

test('where nothing has failed before, it says nothing', () => {
  const { end, reported } = session(0);
  end('end_turn');
  assert.equal(reported, []);
});

const CLOSED = { kind: 'failing', window: null, until: 1, since: 0, error: 'no' } as const;

test('a probe that only says in words that it is refused is no answer', () => {
  const { pool, end, reported } = session(5, 'probing', CLOSED);
  pool.onEvent({ type: 'token', text: 'please log in' });
  assert.equal(reported, []);
  assert.is(end('error').stopReason, 'quota');
});

test('a probe that ends well is one', () => {
  const { end, reported } = session(5, 'probing', CLOSED);
  end('end_turn');
  assert.is(reported[0]?.type, 'quota.answered');
});

test('a session that began before, and fails while the pool is closed for that, waits too', () => {
  assert.is(session(5, 'failing', CLOSED).end('error').stopReason, 'quota');
});

test.run();
