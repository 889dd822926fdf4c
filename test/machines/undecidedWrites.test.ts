import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobIn, type LeafState } from '../support/jobStates.ts';
import type { SteppedJob } from '../support/jobSteps.ts';

const test = suite('job: a write of which nobody can tell whether it was done');

const ERROR = 'Nobody can tell whether post_pr_comment on shop#1 was done.';
const undecided = (job: SteppedJob): boolean =>
  job.send({
    ...{ type: 'forge.wrote', key: 'k', operation: 'post_pr_comment', ok: false, pr: null },
    result: { error: ERROR, code: 'undecided' },
  });

const RESTS: readonly LeafState[] = [
  ...(['queued', 'working.preparing', 'parked.approval', 'parked.event', 'parked.developer', 'parked.paused'] as const),
];
for (const state of RESTS) {
  test(`${state}: no agent is at work, so the job escalates at once (JOB-14)`, () => {
    const job = jobIn(state);
    assert.ok(undecided(job));
    assert.equal([job.at, job.context.escalationMessage], ['ended.escalated', ERROR]);
  });
}

test('working.inSession: the agent ends its turn first, whatever else it has asked for; then the job escalates (JOB-14)', () => {
  const job = jobIn('working.inSession');
  assert.ok(undecided(job));
  assert.is(job.at, 'working.inSession');
  job.awaitEvent();
  job.end();
  assert.equal([job.at, job.context.escalationMessage], ['ended.escalated', ERROR]);
});

for (const [when, events] of [
  ['before the pause', ['write', 'pause']],
  ['while the session is ended for the pause', ['pause', 'write']],
] as const) {
  test(`working.stopping: an answer ${when} is not taken back by it (JOB-14)`, () => {
    const job = jobIn('working.inSession');
    for (const event of events) assert.ok(event === 'write' ? undecided(job) : job.send({ type: 'job.pause', by: 'ann' }));
    assert.is(job.at, 'working.stopping');
    job.end();
    assert.equal([job.at, job.context.escalationMessage], ['ended.escalated', ERROR]);
  });
}

test('a write that was refused for another reason ends nothing', () => {
  const job = jobIn('parked.event');
  assert.ok(
    job.send({
      ...{ type: 'forge.wrote', key: 'k', operation: 'merge_pr', ok: false, pr: null },
      result: { error: 'No.', code: 'conflict' },
    }),
  );
  assert.is(job.at, 'parked.event');
});

test.run();
