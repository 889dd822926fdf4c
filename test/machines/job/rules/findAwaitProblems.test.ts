import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAwaitProblems } from '../../../../machines/job/rules/findAwaitProblems.ts';
import { pr } from '../../../support/charts/jobSteps.ts';

const test = suite('whether something can wake a job that awaits an event');

const request = { type: 'tool.await_event' as const, kinds: null, prId: null, resumePhase: null };
const none = { prs: [], unread: { messages: 0, kinds: [] }, params: {} };
const open = { ...none, prs: [pr(1)] };
const merged = { ...none, prs: [pr(1, { state: 'merged' })] };
const followed = { ...none, params: { jiraTicketId: 'SHOP-7' } };
const heard = ['shop-7'];

for (const [name, known, event] of [
  ['an open pull request of its own', open, {}],
  ['one that is named', open, { prId: 'local:shop#1' }],
  ['one that is named and merged', merged, { prId: 'local:shop#1' }],
  [
    'an event that no session was given',
    { ...merged, unread: { messages: 0, kinds: ['merged'] } },
    {},
  ],
  ['something that a person reports', none, { external: 'the review' }],
  ['a ticket that is followed, with a webhook', followed, { heard }],
  ['that ticket by name', followed, { prId: 'jira:SHOP-7', heard }],
  ['comments on that ticket', followed, { kinds: ['commented'], heard }],
] as const) {
  test(`taken: ${name} (JOB-6, TOOL-1)`, () => {
    assert.equal(findAwaitProblems(known as typeof open, { ...request, ...event } as never), []);
  });
}

for (const [name, known, event, says] of [
  [
    'no pull request',
    none,
    {},
    /^nothing can wake the job: this job has no pull request\. Open a pull request first, or say in "external"/,
  ],
  [
    'only a merged one, not named',
    merged,
    {},
    /no pull request of this job is open: local:shop#1 \(merged\); name a merged one in "prId"/,
  ],
  [
    'only one that was closed without a merge, named',
    { ...none, prs: [pr(1, { state: 'closed' })] },
    { prId: 'local:shop#1' },
    /no pull request of this job is open: local:shop#1 \(closed\)\. A person has closed it without a merge: do not open the same change again, but say in "external"/,
  ],
  [
    'a garbage name',
    none,
    { prId: 'garbage' },
    /^garbage is not a pull request of this job: the job has none\.$/,
  ],
  [
    'the name of another one',
    open,
    { prId: 'local:shop#9' },
    /^local:shop#9 is not a pull request of this job: the job has local:shop#1 \(open\)\.$/,
  ],
  [
    'a garbage name and something external',
    open,
    { prId: 'x', external: 'a review' },
    /^x is not a pull request/,
  ],
  [
    'a ticket without a webhook',
    followed,
    {},
    /svc does not receive comments on SHOP-7, because no webhook is configured for it/,
  ],
  [
    'that ticket by name',
    { ...open, params: { jiraTicketId: 'SHOP-7' } },
    { prId: 'jira:SHOP-7' },
    /no webhook is configured/,
  ],
  [
    'a ticket with a webhook but other kinds',
    followed,
    { kinds: ['merged'], heard },
    /svc reports only comments on SHOP-7, and "kinds" leaves out commented/,
  ],
  [
    'a message alone',
    { ...none, unread: { messages: 1, kinds: [] } },
    {},
    /nothing can wake the job/,
  ],
  [
    'green checks that were not named',
    { ...merged, unread: { messages: 0, kinds: ['check_passed'] } },
    {},
    /no pull request of this job is open/,
  ],
] as const) {
  test(`refused, in one sentence: ${name} (JOB-6, TOOL-1)`, () => {
    const problems = findAwaitProblems(known as typeof open, { ...request, ...event } as never);
    assert.is(problems.length, 1);
    assert.match(problems[0] ?? '', says);
  });
}

test.run();
