import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobIn, type LeafState } from '../../support/charts/jobStates.ts';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: resume, message and event of a pull request, by state');

const REFUSED = 'refused';

/** [state, command, what it leads to, phase that runs next, what its kickoff says first]. */
const TABLE: [
  LeafState,
  'resume' | 'approve' | 'reject' | 'message' | 'event' | 'merged',
  string,
  string?,
  (RegExp | null)?,
][] = [
  ['queued', 'resume', REFUSED],
  ['queued', 'message', 'queued', 'planning'],
  ['queued', 'event', 'queued', 'planning'],
  ['working.preparing', 'resume', REFUSED],
  ['working.preparing', 'message', 'working.preparing'],
  ['working.preparing', 'event', 'working.preparing'],
  ['working.inSession', 'resume', REFUSED],
  ['working.inSession', 'message', 'working.inSession'],
  ['working.inSession', 'event', 'working.inSession'],
  ['working.judging', 'resume', REFUSED],
  ['working.judging', 'message', 'working.judging'],
  ['working.judging', 'event', 'working.judging'],
  ['working.stopping', 'resume', REFUSED],
  ['working.stopping', 'message', 'working.stopping'],
  ['working.stopping', 'event', 'working.stopping'],
  ['parked.approval', 'approve', 'queued', 'coding', null],
  ['parked.approval', 'resume', 'queued', 'coding', null],
  ['parked.approval', 'reject', 'queued', 'planning', /^The developer rejected/u],
  ['parked.approval', 'message', 'queued', 'planning', null],
  ['parked.approval', 'event', 'parked.approval'],
  ['parked.event', 'resume', 'queued', 'coding', null],
  ['parked.event', 'message', 'queued', 'coding', null],
  ['parked.event', 'event', 'queued', 'coding', null],
  ['parked.event', 'merged', 'queued', 'testing', null],
  ['parked.external', 'resume', 'queued', 'coding', null],
  ['parked.external', 'message', 'queued', 'coding', null],
  ['parked.external', 'event', 'queued', 'coding', null],
  ['parked.external', 'merged', 'queued', 'testing', null],
  ['parked.quota', 'resume', 'queued', 'coding', null],
  ['parked.quota', 'message', 'parked.quota'],
  ['parked.quota', 'event', 'parked.quota'],
  ['parked.quota', 'merged', 'parked.quota'],
  ['parked.budget', 'resume', 'queued', 'coding', null],
  ['parked.budget', 'message', 'parked.budget'],
  ['parked.budget', 'event', 'parked.budget'],
  ['parked.budget', 'merged', 'parked.budget'],
  ['parked.outage', 'resume', 'queued', 'coding', null],
  ['parked.outage', 'message', 'parked.outage'],
  ['parked.outage', 'event', 'parked.outage'],
  ['parked.outage', 'merged', 'parked.outage'],
  ['parked.flagged', 'resume', 'queued', 'testing', /^\[process note\]/u],
  ['parked.flagged', 'reject', 'queued', 'coding', /^The developer rejected/u],
  ['parked.flagged', 'message', 'queued', 'coding', null],
  ['parked.flagged', 'event', 'parked.flagged'],
  ['parked.developer', 'resume', 'queued', 'coding', null],
  ['parked.developer', 'message', 'queued', 'coding', null],
  ['parked.developer', 'event', 'parked.developer'],
  ['parked.paused', 'resume', 'queued', 'coding', null],
  ['parked.paused', 'message', 'queued', 'coding', null],
  ['parked.paused', 'event', 'parked.paused'],
  [
    'ended.failed',
    'resume',
    'queued',
    'coding',
    /It had ended with:\n> phase coding: the agent ended with an error: boom\n/,
  ],
  [
    'ended.failed',
    'message',
    'queued',
    'coding',
    /It had ended with:\n> phase coding: the agent ended with an error: boom\n/,
  ],
  ['ended.failed', 'event', REFUSED],
  ...(['ended.complete', 'ended.escalated', 'ended.cancelled'] as const).flatMap(
    (state): typeof TABLE => [
      [state, 'resume', REFUSED],
      [state, 'message', REFUSED],
      [state, 'event', REFUSED],
    ],
  ),
];

for (const [state, command, expected, runs, prompt] of TABLE) {
  test(`${state} | ${command} | ${expected}${runs ? `, then ${runs}` : ''} (JOB-5, JOB-6, JOB-9)`, () => {
    const job = jobIn(state);
    const before = {
      at: job.at,
      status: job.status,
      arrived: job.context.inbox.arrived,
      rows: job.rows('inbox_items').length,
    };
    assert.is(before.at, state);
    const send = {
      resume: () => job.resume('manual-resume'),
      approve: () => job.resume('approve'),
      reject: () => job.resume('reject'),
      message: () => job.message('use tabs'),
      event: () => job.prEvent('commented'),
      merged: () => job.prEvent('merged'),
    }[command];
    assert.is(send(), expected !== REFUSED);
    assert.is(job.at, expected === REFUSED ? state : expected);

    const arrives = ['message', 'event', 'merged'].includes(command) && expected !== REFUSED;
    assert.is(job.context.inbox.arrived, before.arrived + (arrives ? 1 : 0));
    assert.is(job.rows('inbox_items').length, before.rows + (arrives ? 1 : 0));
    if (state.startsWith('parked') && expected === 'queued')
      assert.is(job.status, before.status, 'a wake keeps the public status');

    if (!runs) return;
    job.run();
    assert.is(job.context.phase, runs);
    const kickoff = job.effect('session.open');
    if (arrives)
      assert.is(kickoff?.inboxTo, job.context.inbox.arrived, 'what came is in the kickoff');
    assert.is(job.context.unread.messages, 0);
    if (prompt === null) assert.is(kickoff?.prompt, null);
    else if (prompt) assert.match(String(kickoff?.prompt), prompt);
    if (command === 'resume' || command === 'approve' || command === 'reject') {
      assert.is(kickoff?.eventKey, command === 'resume' ? 'manual-resume' : command);
    }
  });
}

test('an ended job writes down that its pull request was merged, and stays as it is otherwise (JOB-9)', () => {
  for (const state of [
    'ended.complete',
    'ended.failed',
    'ended.escalated',
    'ended.cancelled',
  ] as const) {
    const job = jobIn(state);
    const { prs, ...rest } = job.context;
    assert.equal(
      prs.map((own) => own.state),
      ['open'],
    );
    assert.is(job.prEvent('merged'), true);
    const { prs: after, ...still } = job.context;
    assert.equal(job.at, state);
    assert.equal(still, rest);
    assert.equal(after[0]?.state, 'merged');
    assert.equal(job.rows('pr_mappings')[0]?.state, 'merged');
    assert.is(job.log.at(-1), '[event] merged on local:shop#1 by alice');
    assert.is(job.rows('inbox_items').length, 0);
  }
});

test('an event of a pull request that is not the job’s own is refused everywhere (EVT-4)', () => {
  for (const state of ['queued', 'working.inSession', 'parked.event', 'parked.paused'] as const)
    assert.is(jobIn(state).prEvent('merged', 99), false);
});

test('resume of a failed job: gate blocks 0, the escalationMessage moves to the history (JOB-9)', () => {
  const job = jobIn('ended.failed');
  assert.is(job.context.escalationMessage, 'phase coding: the agent ended with an error: boom');
  job.resume();
  assert.equal(job.context.escalationMessage, null);
  assert.equal(job.context.escalationHistory, [
    'phase coding: the agent ended with an error: boom',
  ]);
  assert.equal(job.context.gateBlocks, 0);
});

for (const [name, again] of [
  ['resume', (job: SteppedJob) => job.resume()],
  ['message', (job: SteppedJob) => job.message()],
  ['rerun', (job: SteppedJob) => job.rerun('build')],
] as const) {
  test(`${name} of a job that the completion gate failed: the gate counts from zero (JOB-7)`, () => {
    const job = new SteppedJob(workflow([phase('build')])).run();
    job.tool('set_work_items', { items: [item('wi-1')] });
    for (let block = 0; block < 5; block++) job.end();
    assert.equal(job.at, 'ended.failed');
    assert.equal(job.context.gateBlocks, 5);
    again(job);
    job.run().end();
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.gateBlocks, 1);
  });
}

/** A job that has not been approved cannot be rerun beyond its checkpoint: `approvals.test.ts`. */
const RERUN: [LeafState, boolean, phase?: string][] = [
  ['queued', true, 'planning'],
  ['working.preparing', false],
  ['working.inSession', false],
  ['working.stopping', false],
  ['parked.approval', true, 'planning'],
  ['parked.event', true],
  ['parked.external', true],
  ['parked.quota', true],
  ['parked.budget', true],
  ['parked.outage', true],
  ['parked.developer', true],
  ['parked.paused', true],
  ['ended.complete', true],
  ['ended.failed', true],
  ['ended.escalated', true],
  ['ended.cancelled', true],
];

for (const [state, isTaken, target = 'testing'] of RERUN) {
  test(`${state} | rerun of a phase | ${isTaken ? 'that phase, from queued' : 'refused'} (JOB-9)`, () => {
    const job = jobIn(state);
    assert.is(job.rerun('no-such-phase'), false);
    assert.is(job.rerun(target), isTaken);
    if (!isTaken) return;
    assert.is(job.at, 'queued');
    job.run();
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.phase, target);
    assert.equal(job.context.gateBlocks, 0);
    assert.equal(job.context.escalationMessage, null);
    assert.is(
      job.rows('phase_visits').filter(({ ended_at }) => ended_at === null).length,
      1,
      'only the new visit is open',
    );
  });
}

test.run();
