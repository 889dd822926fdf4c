import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../machines/job/jobChart.ts';
import { jobIn, type LeafState } from '../../support/charts/jobStates.ts';
import type { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job: a write with an unknown outcome');

const ERROR = 'It is unknown whether post_pr_comment on shop#1 was done.';
const undecided = (job: SteppedJob): boolean =>
  job.send({
    type: 'forge.wrote',
    key: 'k',
    operation: 'post_pr_comment',
    ok: false,
    pr: null,
    result: { error: ERROR, code: 'undecided' },
  });

const RESTS: readonly LeafState[] = [
  ...([
    'queued',
    'working.preparing',
    'parked.approval',
    'parked.event',
    'parked.developer',
    'parked.paused',
  ] as const),
];
for (const state of RESTS) {
  test(`${state}: no agent is at work, so the job escalates at once (JOB-14)`, () => {
    const job = jobIn(state);
    assert.ok(undecided(job));
    assert.equal(job.at, 'ended.escalated');
    assert.equal(job.context.escalationMessage, ERROR);
  });
}

test('working.inSession: the agent ends its turn first, whatever else it has asked for; then the job escalates (JOB-14)', () => {
  const job = jobIn('working.inSession');
  assert.ok(undecided(job));
  assert.is(job.at, 'working.inSession');
  job.awaitEvent();
  job.end();
  assert.equal(job.at, 'ended.escalated');
  assert.equal(job.context.escalationMessage, ERROR);
});

for (const stopReason of ['error', 'limit'] as const) {
  test(`working.inSession: a session that then ends with ${stopReason} does not take it back, or a resume would write it again (JOB-14)`, () => {
    const job = jobIn('working.inSession');
    assert.ok(undecided(job));
    job.end(stopReason, 'the model does not answer');
    assert.equal(job.at, 'ended.escalated');
    assert.equal(
      job.context.escalationMessage,
      `${ERROR} (the agent ended with an error: the model does not answer)`,
    );
  });
}

test('the agent that continues after the escalation is given the undecided write; each time the last one alone', () => {
  const job = jobIn('parked.event');
  for (const _time of [1, 2]) {
    undecided(job);
    assert.ok(job.send({ type: 'job.rerun', phase: 'coding' }));
    assert.is(
      job.context.prompt,
      `This job had ended, and a developer has continued it. It had ended with:\n> ${ERROR}\n\nCheck the current state before you repeat anything.`,
    );
  }
});

for (const [when, events] of [
  ['before the pause', ['write', 'pause']],
  ['while the session is ended for the pause', ['pause', 'write']],
] as const) {
  test(`working.stopping: an answer ${when} is not taken back by it (JOB-14)`, () => {
    const job = jobIn('working.inSession');
    for (const event of events)
      assert.ok(event === 'write' ? undecided(job) : job.send({ type: 'job.pause', by: 'ann' }));
    assert.is(job.at, 'working.stopping');
    job.end();
    assert.equal(job.at, 'ended.escalated');
    assert.equal(job.context.escalationMessage, ERROR);
  });
}

test('a write that the kernel gave up is undecided in the ledger of writes too, where it was open', () => {
  const job = jobIn('parked.event');
  const params = { key: 'k', forge: 'github', operation: 'post_pr_comment' };
  const why = 'restarts-without-progress';
  job.send(
    jobChart.createGivenUpEvent({
      effectId: 'job-1/7/0',
      type: 'forge.write',
      params,
      attempts: 5,
      error: 'no',
      why,
    }),
  );
  assert.is(job.at, 'ended.escalated');
  assert.equal(
    job.effects.filter(({ type }) => type === 'row.patch').map(({ params: patch }) => patch),
    [
      {
        table: 'forge_writes',
        key: { operation_id: 'job-1/7/0', state: 'sent' },
        set: { state: 'undecided' },
      },
    ],
  );
});

test('ended.complete: a job stays ended, and its log says what a person has to look at', () => {
  const job = jobIn('ended.complete');
  assert.ok(undecided(job));
  assert.is(job.at, 'ended.complete');
  assert.equal(job.frames.at(-1)?.kind, 'log');
  assert.equal(job.frames.at(-1)?.data.line, ERROR);
});

test('a write that was refused for another reason ends nothing', () => {
  const job = jobIn('parked.event');
  assert.ok(
    job.send({
      type: 'forge.wrote',
      key: 'k',
      operation: 'merge_pr',
      ok: false,
      pr: null,
      result: { error: 'No.', code: 'conflict' },
    }),
  );
  assert.is(job.at, 'parked.event');
});

test.run();
