import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_FAULTS, type SessionFault } from '../../../src/base/errors/sessionFaults.ts';
import { MAX_OUTAGE_WAITS } from '../../../machines/job/rules/outage.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job: what becomes of an error of a session');

const endWithFault = (fault: SessionFault) => {
  const job = new SteppedJob().reach('coding');
  job.message('use tabs');
  return job.end('error', 'claude could not be started: it was not found.', { fault });
};

const WAITS_IN = { fail: 'ended.failed', outage: 'parked.outage', developer: 'parked.developer' };

for (const [fault, { leads, person }] of Object.entries(SESSION_FAULTS)) {
  test(`${fault}: the job is ${WAITS_IN[leads]}`, () => {
    const job = endWithFault(fault as SessionFault);
    assert.is(job.at, WAITS_IN[leads]);
    assert.is(job.status === 'awaiting-developer-input', person);
  });
}

test('only the exit code of the agent itself fails the job', () => {
  const failing = Object.entries(SESSION_FAULTS).filter(([, { leads }]) => leads === 'fail');
  assert.equal(
    failing.map(([fault]) => fault),
    ['own-exit'],
  );
});

test('an error of svc 0.2, which names no fault, fails the job as it did', () => {
  assert.is(new SteppedJob().reach('coding').end('error', 'boom').at, 'ended.failed');
});

for (const fault of ['not-started', 'refused'] as const) {
  test(`${fault}: the reason ends with the command, and a resume continues the same visit with what its session was given`, () => {
    const job = endWithFault(fault);
    const { visit } = job.context;
    const { reason = '' } = job.context.parked ?? {};
    assert.match(reason, /it was not found\. When it is repaired, /);
    assert.match(reason, /svc resume shop-job-1$/);
    assert.is(job.context.unread.messages, 1);
    job.resume();
    job.run();
    assert.equal([job.at, job.context.visit, job.context.session], ['working.inSession', visit, 2]);
    assert.equal(job.effect('session.open')?.continued, { first: 1, calls: 2, why: 'repair' });
    assert.is(job.effect('session.open')?.inboxTo, 1);
  });
}

test('waits of a session that cannot run grow, although each preparation succeeds, until a person is asked', () => {
  const job = endWithFault('not-started');
  const waits: number[] = [];
  for (let n = 0; n < MAX_OUTAGE_WAITS; n++) {
    waits.push((Date.parse(job.context.parked?.until ?? '') - job.now) / 60_000);
    job.send({ type: 'outage.over' });
    job.run();
    job.end('error', 'gone', { fault: 'not-started' });
  }
  assert.equal(waits, [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15]);
  assert.is(job.at, 'parked.developer');
});

test('what the agent had asked for a person is not lost with the error of its session', () => {
  const job = new SteppedJob().reach('coding');
  job.tool('escalate', { message: 'Which database?' });
  assert.is(job.end('error', 'boom', { fault: 'refused' }).at, 'ended.escalated');
});

test.run();
