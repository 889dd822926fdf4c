import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  deriveEventWait,
  derivePrState,
  findEarlierWake,
  matchAwaitedEvent,
  type OwnPrs,
} from '../../../../machines/job/rules/wakeMatch.ts';
import type { PrState, ProviderEvent } from '../../../../src/contract/schema/forge/pr.ts';
import type { WorkflowTable } from '../../../../src/contract/schema/workflow/workflow.ts';
import { JOB_WORKFLOW, phase, pr, SteppedJob, workflow } from '../../../support/charts/jobSteps.ts';

const test = suite('wake match');

/** A job in a phase, whose checkpoint (if it has one) was approved unless `given` is false. */
const inPhase = (table: WorkflowTable, name: string, given = true) => {
  const { context } = new SteppedJob(table);
  return { ...context, phase: name, approvals: { ...context.approvals, at: name, given } };
};

const any = {
  kinds: null,
  prId: null,
  from: 'coding',
  after: 'testing',
  forward: 'last-merge',
} as const;
const comments = { ...any, kinds: ['commented'] };
const ID = 'local:shop#1';
const item = (id: string, ...prIds: string[]) => ({
  id,
  title: id,
  status: 'in-progress' as const,
  loopCount: 0,
  prIds,
});
const createOwnPrs = (prs: OwnPrs['prs'] = [], workItems: OwnPrs['workItems'] = []) => ({
  prs,
  workItems,
});
const merged = pr(1, { state: 'merged' });
const closed = pr(1, { state: 'closed' });
const event = (kind: ProviderEvent['kind'], prId = ID) => ({ kind, prId });

test('a merge wakes the phase after, every other kind the phase that awaited, closed without a merge too (JOB-6)', () => {
  const after = { merged: createOwnPrs([merged]), closed: createOwnPrs([closed]) };
  assert.equal(
    (['approved', 'changes_requested', 'commented', 'reopened', 'merged', 'closed'] as const).map(
      (kind) =>
        matchAwaitedEvent(
          any,
          event(kind),
          kind === 'merged' || kind === 'closed' ? after[kind] : createOwnPrs([pr(1)]),
        ),
    ),
    ['coding', 'coding', 'coding', 'coding', 'testing', 'coding'],
  );
  assert.equal(
    (['commented', 'merged'] as const).map((kind) =>
      matchAwaitedEvent(comments, event(kind), createOwnPrs()),
    ),
    ['coding', null],
  );
});

test('a wait that svc 0.2 began is led forward by a merge and by a close, whatever else is open (JOB-6)', () => {
  const { forward: _new, ...old } = any;
  assert.equal(
    (['commented', 'merged', 'closed'] as const).map((kind) =>
      matchAwaitedEvent(old, event(kind), createOwnPrs([merged, pr(2)])),
    ),
    ['coding', 'testing', 'testing'],
  );
  const unread = { messages: 0, kinds: ['closed'] };
  assert.equal(findEarlierWake(old, unread, createOwnPrs([closed, pr(2)])), {
    phase: 'testing',
    by: 'event:closed',
  });
});

for (const [name, awaited, own, expected] of [
  [
    'another one of the job is open, and it has no work items',
    any,
    createOwnPrs([merged, pr(2)]),
    'coding',
  ],
  [
    'the other one was closed before',
    any,
    createOwnPrs([merged, pr(2, { state: 'closed' })]),
    'testing',
  ],
  [
    'the other one was merged before',
    any,
    createOwnPrs([merged, pr(2, { state: 'merged' })]),
    'testing',
  ],
  [
    'the other one that is open belongs to another work item',
    any,
    createOwnPrs(
      [pr(1, { state: 'merged', workItem: 'a' }), pr(2, { workItem: 'b' })],
      [item('a'), item('b')],
    ),
    'testing',
  ],
  [
    'the other one that is open belongs to the same work item',
    any,
    createOwnPrs(
      [pr(1, { state: 'merged', workItem: 'a' }), pr(2, { workItem: 'a' })],
      [item('a'), item('b')],
    ),
    'coding',
  ],
  [
    'the work item names both',
    any,
    createOwnPrs([merged, pr(2)], [item('a', ID, 'local:shop#2'), item('b')]),
    'coding',
  ],
  [
    'it belongs to no work item, and another one of the job is open',
    any,
    createOwnPrs([merged, pr(2, { workItem: 'a' })], [item('a')]),
    'coding',
  ],
  [
    'it is awaited by name, whatever else is open',
    { ...any, prId: ID },
    createOwnPrs([merged, pr(2)]),
    'testing',
  ],
  [
    'another one is awaited by name',
    { ...any, prId: 'local:shop#2' },
    createOwnPrs([merged, pr(2)]),
    'coding',
  ],
  [
    'resumePhase is given',
    { ...any, from: 'evaluation', after: 'evaluation' },
    createOwnPrs([merged, pr(2)]),
    'evaluation',
  ],
] as const) {
  test(`a merge leads to ${expected} where ${name} (JOB-6, EVT-5)`, () => {
    assert.is(
      matchAwaitedEvent(awaited, event('merged'), createOwnPrs([...own.prs], [...own.workItems])),
      expected,
    );
  });
}

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
    { messages: 1, kinds: ['commented', 'merged'], over: [ID] },
    [merged],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'a merge came to svc 0.2, which did not keep of which pull request',
    any,
    { messages: 0, kinds: ['merged'] },
    [pr(2, { state: 'closed' }), merged],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'one was merged, and another one is open',
    any,
    { messages: 0, kinds: ['commented', 'merged'], over: [ID] },
    [merged, pr(2)],
    { phase: 'coding', by: 'event:merged' },
  ],
  [
    'both were merged',
    any,
    { messages: 0, kinds: ['merged'], over: [ID, 'local:shop#2'] },
    [merged, pr(2, { state: 'merged' })],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'one was merged and the other closed afterwards',
    any,
    { messages: 0, kinds: ['merged', 'closed'], over: [ID, 'local:shop#2'] },
    [merged, pr(2, { state: 'closed' })],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'one was closed; the one that an agent was given as merged does not count again',
    any,
    { messages: 0, kinds: ['closed'], over: ['local:shop#2'] },
    [merged, pr(2, { state: 'closed' })],
    { phase: 'coding', by: 'event:closed' },
  ],
  [
    'one was closed and opened again',
    any,
    { messages: 0, kinds: ['closed', 'reopened'], over: [ID] },
    [pr(1)],
    { phase: 'coding', by: 'event:closed' },
  ],
  [
    'only another kind came',
    comments,
    { messages: 0, kinds: ['approved', 'merged'], over: [ID] },
    [merged, pr(2)],
    null,
  ],
  [
    'a message came',
    comments,
    { messages: 1, kinds: ['approved'] },
    [],
    { phase: 'coding', by: 'message' },
  ],
  [
    'the pull request that is named is merged',
    { ...any, prId: ID },
    { messages: 0, kinds: [] },
    [merged, pr(2)],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'it is merged though comments are awaited: no more of them come',
    { ...comments, prId: ID },
    { messages: 0, kinds: [] },
    [merged],
    { phase: 'testing', by: 'event:merged' },
  ],
  [
    'the pull request that is named was closed though comments are awaited',
    { ...comments, prId: ID },
    { messages: 0, kinds: ['closed'], over: [ID] },
    [closed, pr(2)],
    { phase: 'coding', by: 'event:closed' },
  ],
  [
    'something outside is awaited, and the pull request that is named is merged',
    { ...any, prId: ID, external: 'a review' },
    { messages: 0, kinds: [] },
    [merged],
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
    { messages: 0, kinds: ['closed'], over: [ID] },
    [closed],
    { phase: 'coding', by: 'event:closed' },
  ],
  [
    'another one is merged',
    { ...any, prId: 'local:shop#2' },
    { messages: 0, kinds: [] },
    [merged, pr(2)],
    null,
  ],
] as const) {
  test(`before the job could wait: ${name} (JOB-6, EVT-1)`, () => {
    const wait = { ...awaited, kinds: awaited.kinds === null ? null : [...awaited.kinds] };
    const { kinds, messages } = unread;
    const over = 'over' in unread ? { over: [...unread.over] } : {};
    assert.equal(
      findEarlierWake(wait, { messages, kinds: [...kinds], ...over }, createOwnPrs([...prs])),
      expected,
    );
  });
}

test('green checks wake only a job that names check_passed (JOB-6)', () => {
  assert.equal(
    [any, comments, { ...any, kinds: ['check_passed'] }].map((awaited) =>
      matchAwaitedEvent(awaited, event('check_passed'), createOwnPrs([pr(1)])),
    ),
    [null, null, 'coding'],
  );
});

test('the end of the last open pull request wakes a job whatever kinds it awaits, since nothing more can come (JOB-6)', () => {
  assert.equal(
    [[closed], [closed, pr(2)], [merged]].map((prs) =>
      matchAwaitedEvent(
        comments,
        event(prs[0]?.state === 'merged' ? 'merged' : 'closed'),
        createOwnPrs(prs),
      ),
    ),
    ['coding', null, 'testing'],
  );
});

test('a merge is the last state of a pull request; a closed one may be opened again and merged (EVT-5)', () => {
  const states = (before: PrState) =>
    (['closed', 'reopened', 'merged', 'commented'] as const).map((kind) =>
      derivePrState(before, kind),
    );
  assert.equal(states('open'), ['closed', 'open', 'merged', 'open']);
  assert.equal(states('closed'), ['closed', 'open', 'merged', 'closed']);
  assert.equal(states('merged'), ['merged', 'merged', 'merged', 'merged']);
});

const request = { kinds: null, prId: null, resumePhase: null };
const lastWaits = workflow([phase('coding'), phase('wait', { agent: null })]);

for (const [name, table, current, signal, expected] of [
  [
    'the next phase has no agent: it is shown, and skipped by a merge',
    JOB_WORKFLOW,
    'coding',
    request,
    {
      awaited: { kinds: null, prId: null, from: 'coding', after: 'testing', forward: 'last-merge' },
      shown: { phase: 'pr-wait', status: 'awaiting-pr-merge' },
    },
  ],
  [
    'the next phase has an agent: what is shown stays',
    JOB_WORKFLOW,
    'testing',
    request,
    {
      awaited: {
        kinds: null,
        prId: null,
        from: 'testing',
        after: 'evaluation',
        forward: 'last-merge',
      },
      shown: null,
    },
  ],
  [
    'the last phase: a merge wakes it too',
    JOB_WORKFLOW,
    'reporting',
    request,
    {
      awaited: {
        kinds: null,
        prId: null,
        from: 'reporting',
        after: 'reporting',
        forward: 'last-merge',
      },
      shown: null,
    },
  ],
  [
    'a phase without agent is the last: a merge leads to it',
    lastWaits,
    'coding',
    request,
    {
      awaited: { kinds: null, prId: null, from: 'coding', after: 'wait', forward: 'last-merge' },
      shown: { phase: 'wait', status: 'wait' },
    },
  ],
  [
    'resumePhase overrides both',
    JOB_WORKFLOW,
    'coding',
    { kinds: ['merged'], prId: 'local:shop#1', resumePhase: 'evaluation' },
    {
      awaited: {
        kinds: ['merged'],
        prId: 'local:shop#1',
        from: 'evaluation',
        after: 'evaluation',
      },
      shown: { phase: 'pr-wait', status: 'awaiting-pr-merge' },
    },
  ],
] as const) {
  test(`await_event: ${name} (JOB-6)`, () => {
    const { kinds, prId, resumePhase } = signal;
    assert.equal(
      deriveEventWait(inPhase(table, current), {
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
  const request = { kinds: null, prId: null };
  assert.equal(deriveEventWait(planning, { ...request, resumePhase: null }).awaited, {
    ...request,
    from: 'planning',
    after: 'coding',
    forward: 'last-merge',
  });
  assert.equal(deriveEventWait(planning, { ...request, resumePhase: 'testing' }).awaited, {
    ...request,
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
  const { awaited, shown } = deriveEventWait(inPhase(table, 'coding'), {
    kinds: null,
    prId: null,
    resumePhase: null,
  });
  assert.equal(awaited.after, 'wait');
  assert.equal(shown?.phase, 'wait');
});

test.run();
