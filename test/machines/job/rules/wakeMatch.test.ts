import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { awaitedFrom, wakeAlready, wakeMatch } from '../../../../machines/job/rules/wakeMatch.ts';
import type { WorkflowTable } from '../../../../src/schema/workflow.ts';
import { JOB_WORKFLOW, phase, pr, SteppedJob, workflow } from '../../../support/charts/jobSteps.ts';

const test = suite('wake match');

/** A job in a phase, whose checkpoint (if it has one) was approved unless `given` is false. */
const inPhase = (table: WorkflowTable, name: string, given = true) => {
  const { context } = new SteppedJob(table);
  return { ...context, phase: name, approvals: { ...context.approvals, at: name, given } };
};

const any = { kinds: null, prId: null, from: 'coding', after: 'testing' };
const comments = { ...any, kinds: ['commented'] };

test('merged and closed wake the phase after, every other kind the phase that awaited (JOB-6)', () => {
  assert.equal(
    ['approved', 'changes_requested', 'commented', 'merged', 'closed'].map((kind) =>
      wakeMatch(any, kind),
    ),
    ['coding', 'coding', 'coding', 'testing', 'testing'],
  );
  assert.equal(
    ['commented', 'merged'].map((kind) => wakeMatch(comments, kind)),
    ['coding', null],
  );
});

for (const [name, awaited, unread, prs, expected] of [
  ['nothing came', any, { messages: 0, kinds: [] }, [], null],
  [
    'a comment came',
    any,
    { messages: 0, kinds: ['commented'] },
    [],
    { phase: 'coding', by: 'event:commented' },
  ],
  [
    'a merge came after a comment and a message',
    any,
    { messages: 1, kinds: ['commented', 'merged'] },
    [],
    { phase: 'testing', by: 'event:merged' },
  ],
  ['only another kind came', comments, { messages: 0, kinds: ['approved', 'merged'] }, [], null],
  [
    'a message came',
    comments,
    { messages: 1, kinds: ['approved'] },
    [],
    { phase: 'coding', by: 'message' },
  ],
  [
    'the pull request that is named is merged',
    { ...any, prId: 'local:shop#1' },
    { messages: 0, kinds: [] },
    [pr(1, { state: 'merged' })],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'it is merged though comments are awaited: no more of them come',
    { ...comments, prId: 'local:shop#1' },
    { messages: 0, kinds: [] },
    [pr(1, { state: 'merged' })],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'something outside is awaited, and the pull request that is named is merged',
    { ...any, prId: 'local:shop#1', external: 'a review' },
    { messages: 0, kinds: [] },
    [pr(1, { state: 'merged' })],
    null,
  ],
  ['checks turned green', any, { messages: 0, kinds: ['check_passed'] }, [], null],
  [
    'checks turned green and are awaited',
    { ...any, kinds: ['check_passed'] },
    { messages: 0, kinds: ['check_passed'] },
    [],
    { phase: 'coding', by: 'event:check_passed' },
  ],
  [
    'the last pull request was closed though comments are awaited',
    comments,
    { messages: 0, kinds: ['closed'] },
    [pr(1, { state: 'closed' })],
    { phase: 'testing', by: 'event:closed' },
  ],
  [
    'another one is merged',
    { ...any, prId: 'local:shop#2' },
    { messages: 0, kinds: [] },
    [pr(1, { state: 'merged' }), pr(2)],
    null,
  ],
] as const) {
  test(`before the job could wait: ${name} (JOB-6, EVT-1)`, () => {
    const wanted = { ...awaited, kinds: awaited.kinds === null ? null : [...awaited.kinds] };
    assert.equal(
      wakeAlready(wanted, { messages: unread.messages, kinds: [...unread.kinds] }, prs),
      expected,
    );
  });
}

test('green checks wake only a job that names check_passed (JOB-6)', () => {
  assert.equal(
    [any, comments, { ...any, kinds: ['check_passed'] }].map((awaited) =>
      wakeMatch(awaited, 'check_passed'),
    ),
    [null, null, 'coding'],
  );
});

test('the end of the last open pull request wakes a job whatever kinds it awaits, since nothing more can come (JOB-6)', () => {
  const closed = pr(1, { state: 'closed' });
  assert.equal(
    [[closed], [closed, pr(2)]].map((prs) => wakeMatch(comments, 'closed', prs)),
    ['testing', null],
  );
});

const asked = { kinds: null, prId: null, resumePhase: null };
const lastWaits = workflow([phase('coding'), phase('wait', { agent: null })]);

for (const [name, table, current, signal, expected] of [
  [
    'the next phase has no agent: it is shown, and skipped by a merge',
    JOB_WORKFLOW,
    'coding',
    asked,
    {
      awaited: { kinds: null, prId: null, from: 'coding', after: 'testing' },
      shown: { phase: 'pr-wait', status: 'awaiting-pr-merge' },
    },
  ],
  [
    'the next phase has an agent: what is shown stays',
    JOB_WORKFLOW,
    'testing',
    asked,
    { awaited: { kinds: null, prId: null, from: 'testing', after: 'evaluation' }, shown: null },
  ],
  [
    'the last phase: a merge wakes it too',
    JOB_WORKFLOW,
    'reporting',
    asked,
    { awaited: { kinds: null, prId: null, from: 'reporting', after: 'reporting' }, shown: null },
  ],
  [
    'a phase without agent is the last: a merge leads to it',
    lastWaits,
    'coding',
    asked,
    {
      awaited: { kinds: null, prId: null, from: 'coding', after: 'wait' },
      shown: { phase: 'wait', status: 'wait' },
    },
  ],
  [
    'resumePhase overrides both',
    JOB_WORKFLOW,
    'coding',
    { kinds: ['merged'], prId: 'local:shop#1', resumePhase: 'evaluation' },
    {
      awaited: { kinds: ['merged'], prId: 'local:shop#1', from: 'evaluation', after: 'evaluation' },
      shown: { phase: 'pr-wait', status: 'awaiting-pr-merge' },
    },
  ],
] as const) {
  test(`await_event: ${name} (JOB-6)`, () => {
    const { kinds, prId, resumePhase } = signal;
    assert.equal(
      awaitedFrom(inPhase(table, current), {
        kinds: kinds === null ? null : [...kinds],
        prId,
        resumePhase,
      }),
      expected,
    );
  });
}

test('await_event: a phase that waits for approval is all that an event wakes; what a merge leads to is kept (JOB-6, JOB-5)', () => {
  const planning = inPhase(JOB_WORKFLOW, 'planning', false);
  const asked = { kinds: null, prId: null };
  assert.equal(awaitedFrom(planning, { ...asked, resumePhase: null }).awaited, {
    ...asked,
    from: 'planning',
    after: 'coding',
  });
  assert.equal(awaitedFrom(planning, { ...asked, resumePhase: 'testing' }).awaited, {
    ...asked,
    from: 'planning',
    after: 'testing',
  });
});

test('await_event: a waiting phase with a checkpoint of its own is not passed by an event (JOB-6, JOB-5)', () => {
  const table = workflow([
    phase('coding'),
    phase('wait', { agent: null, interactive_checkpoint: true }),
    phase('testing'),
  ]);
  const { awaited, shown } = awaitedFrom(inPhase(table, 'coding'), {
    kinds: null,
    prId: null,
    resumePhase: null,
  });
  assert.equal(awaited.after, 'wait');
  assert.equal(shown?.phase, 'wait');
});

test.run();
