import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brief, bitbucket } from '../../support/forges/signedPayloads.ts';

const test = suite('webhooks: keys of Bitbucket');

const actor = { type: 'user', nickname: 'ann', account_id: '557058:1', uuid: '{u-1}' };
const repository = { full_name: 'acme/shop' };

/** Times of creation and of the last change, as Bitbucket has sent them with something new. */
const PR_2017 = ['2017-03-08T14:20:53.482107+00:00', '2017-03-08T14:20:53.507322+00:00'];
const PR_2024 = ['2024-03-12T09:11:02.104327+00:00', '2024-03-12T09:11:02.917415+00:00'];
const PR_DOCS = ['2015-04-06T15:23:38.179678+00:00', '2015-04-06T15:23:38.205705+00:00'];
const COMMENT = ['2015-04-06T16:52:29.982346+00:00', '2015-04-06T16:52:29.983730+00:00'];
const LATER = ['2015-04-06T16:52:29.982346+00:00', '2015-04-06T16:58:01.000000+00:00'];

const times = ([created_on, updated_on]: readonly string[]) => ({ created_on, updated_on });
const pr = (at: readonly string[], more: object = {}, state = 'OPEN') => ({
  actor,
  repository,
  pullrequest: { id: 3, title: 'T', state, ...times(at) },
  ...more,
});
const comment = (at: readonly string[], more: object = {}) => ({
  comment: { id: 8, content: { raw: 'hm' }, ...times(at), ...more },
});
const issue = (at: readonly string[], more: object = {}) => ({
  actor,
  repository,
  issue: { id: 4, title: 'I', ...times(at) },
  ...more,
});
const approval = { approval: { date: 'd', user: actor } };

for (const [key, payload, event, kind] of [
  ['pullrequest:created', pr(PR_2024), 'pull_request.opened', null],
  ['pullrequest:created', pr(LATER), 'pull_request.opened', null],
  ['pullrequest:updated', pr(PR_2024), 'pull_request.edited', null],
  ['pullrequest:approved', pr(LATER, approval), 'pull_request.approved', 'approved'],
  ['pullrequest:unapproved', pr(LATER, approval), 'pull_request.unapproved', null],
  [
    'pullrequest:changes_request_created',
    pr(LATER, { changes_request: { date: 'd' } }),
    'pull_request.changes_requested',
    'changes_requested',
  ],
  [
    'pullrequest:changes_request_removed',
    pr(LATER, { changes_request: { date: 'd' } }),
    'pull_request.unchanges_requested',
    null,
  ],
  [
    'pullrequest:comment_created',
    pr(LATER, comment(COMMENT)),
    'pull_request.commented',
    'commented',
  ],
  [
    'pullrequest:comment_updated',
    pr(LATER, comment(COMMENT)),
    'pull_request.commented_edited',
    null,
  ],
  [
    'pullrequest:comment_deleted',
    pr(LATER, comment(COMMENT)),
    'pull_request.commented_deleted',
    null,
  ],
  [
    'pullrequest:comment_resolved',
    pr(LATER, comment(COMMENT)),
    'pull_request.commented_resolved',
    null,
  ],
  [
    'pullrequest:comment_created',
    pr(LATER, comment(LATER, { inline: { path: 'a.ts', to: 4 } })),
    'pull_request.review_thread',
    'review_thread',
  ],
  [
    'pullrequest:comment_created',
    pr(LATER, comment(COMMENT, { deleted: true })),
    'pull_request.commented_deleted',
    null,
  ],
  ['pullrequest:fulfilled', pr(LATER, {}, 'MERGED'), 'pull_request.merged', 'merged'],
  ['pullrequest:rejected', pr(LATER, {}, 'DECLINED'), 'pull_request.closed', 'closed'],
  ['pullrequest:updated', pr(LATER, {}, 'MERGED'), 'pull_request.edited', null],
  ['issue:created', issue(PR_2017), 'issue.opened', null],
  ['issue:updated', issue(LATER, { changes: { status: {} } }), 'issue.edited', null],
  ['issue:comment_created', issue(LATER, comment(COMMENT)), 'issue.commented', 'commented'],
] as const) {
  test(`${key} is ${event} (EVT-4)`, () => {
    const summary = brief(bitbucket(payload, undefined, { 'x-event-key': key }));
    assert.equal(summary?.slice(0, 2), [event, kind]);
  });
}

for (const [name, payload, event] of [
  ['a pull request of 2017', pr(PR_2017), 'pull_request.opened'],
  ['a pull request of 2024', pr(PR_2024), 'pull_request.opened'],
  ["the pull request of Atlassian's own page", pr(PR_DOCS), 'pull_request.opened'],
  ["the comment of Atlassian's own page", pr(LATER, comment(COMMENT)), 'pull_request.commented'],
  ['a pull request that was changed minutes later', pr(LATER), 'pull_request.edited'],
  [
    'a comment that was changed minutes later',
    pr(LATER, comment(LATER)),
    'pull_request.commented_edited',
  ],
] as const) {
  test(`without a key ${name} is recognized by its times: ${event} (EVT-4)`, () => {
    assert.is(brief(bitbucket(payload))?.[0], event);
  });
}

test('a key is not signed: it says nothing that the payload does not hold', () => {
  const forged = bitbucket(pr(PR_2024), undefined, { 'x-event-key': 'pullrequest:fulfilled' });
  assert.is(brief(forged)?.[0], 'pull_request.opened');
});

test.run();
