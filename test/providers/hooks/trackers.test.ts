import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOfRefusal } from '../../support/refusal.ts';
import {
  bitbucket,
  brief,
  gitlab,
  jira,
  linear,
  NOW,
} from '../../support/forges/signedPayloads.ts';

const test = suite('webhooks: Jira, Linear');

const ann = { accountId: 'a1', displayName: 'Ann', accountType: 'atlassian' };
const ticket = {
  key: 'SHOP-7',
  self: 'https://acme.atlassian.net/rest/api/2/issue/1',
  fields: { summary: 'S', description: 'D', labels: ['svc'] },
};
const createChange = (field: string, before: string, after: string) => ({
  changelog: { items: [{ field, fromString: before, toString: after }] },
});
const createIssueUpdate = (more: object) => ({
  webhookEvent: 'jira:issue_updated',
  timestamp: NOW,
  user: ann,
  issue: ticket,
  ...more,
});

for (const [name, payload, expected] of [
  [
    'created',
    { ...createIssueUpdate({}), webhookEvent: 'jira:issue_created' },
    ['issue.opened', null, 'SHOP-7', 'Ann', 'a1', false, true, null],
  ],
  [
    'labeled',
    createIssueUpdate(createChange('labels', 'a', 'a svc')),
    ['issue.labeled', null, 'SHOP-7', 'Ann', 'a1', false, true, null],
  ],
  [
    'unlabeled',
    createIssueUpdate(createChange('labels', 'a svc', 'a')),
    ['issue.unlabeled', null, 'SHOP-7', 'Ann', 'a1', false, true, null],
  ],
  [
    'moved',
    createIssueUpdate(createChange('status', 'To Do', 'Done')),
    ['issue.transitioned', null, 'SHOP-7', 'Ann', 'a1', false, true, null],
  ],
  [
    'comment',
    {
      webhookEvent: 'comment_created',
      issue: ticket,
      comment: { id: '1', body: 'hm', author: ann },
    },
    ['issue.commented', 'commented', 'SHOP-7', 'Ann', 'a1', false, true, null],
  ],
  [
    'comment of an app',
    {
      webhookEvent: 'comment_created',
      issue: ticket,
      comment: { id: '1', body: 'hm', author: { ...ann, accountType: 'app' } },
    },
    ['issue.commented', 'commented', 'SHOP-7', 'Ann', 'a1', true, false, null],
  ],
  [
    'comment of Data Center',
    {
      ...createIssueUpdate({
        comment: { id: '1', body: 'hm', author: { name: 'ann', displayName: 'Ann' } },
      }),
      issue_event_type_name: 'issue_commented',
    },
    ['issue.commented', 'commented', 'SHOP-7', 'Ann', 'ann', false, null, null],
  ],
  [
    'comment of Data Center by itself, which names no issue',
    {
      webhookEvent: 'comment_created',
      comment: { id: '1', self: 'https://j.test/rest/api/2/issue/7/comment/1', body: 'hm' },
    },
    null,
  ],
  [
    'comment of an account whose type is not said',
    {
      webhookEvent: 'comment_created',
      issue: ticket,
      comment: { id: '1', body: 'hm', author: { accountId: 'a1', displayName: 'Ann' } },
    },
    ['issue.commented', 'commented', 'SHOP-7', 'Ann', 'a1', false, null, null],
  ],
  ['a sprint', { webhookEvent: 'sprint_started' }, null],
] as const) {
  test(`Jira: ${name} (EVT-4)`, () => assert.equal(brief(jira(payload)), expected));
}

test('Jira: a comment as a document, its address, and what was just set', () => {
  const body = {
    type: 'doc',
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'hello' }] }],
  };
  const { event } = jira({
    webhookEvent: 'comment_created',
    issue: ticket,
    comment: { id: '1', body, author: ann },
  });
  assert.equal(event?.text, 'hello');
  assert.equal(event?.url, 'https://acme.atlassian.net/browse/SHOP-7?focusedCommentId=1');
  assert.equal(jira(createIssueUpdate(createChange('labels', 'a', 'a svc'))).event?.newLabels, [
    'svc',
  ]);
});

test('Jira: issues are addressed at the site that is configured, else at that of the delivery', () => {
  for (const [self, site, url] of [
    [
      'https://acme.atlassian.net/rest/api/2/issue/1',
      '',
      'https://acme.atlassian.net/browse/SHOP-7',
    ],
    ['https://acme.example/jira/rest/api/2/issue/1', '', 'https://acme.example/jira/browse/SHOP-7'],
    ['https://api.atlassian.com/ex/jira/1-2/rest/api/3/issue/1', '', ''],
    [
      'https://api.atlassian.com/ex/jira/1-2/rest/api/3/issue/1',
      'https://acme.atlassian.net',
      'https://acme.atlassian.net/browse/SHOP-7',
    ],
  ] as const)
    assert.is(jira(createIssueUpdate({ issue: { ...ticket, self } }), NOW, site).event?.url, url);
});

const user = { id: 'u1', name: 'Ann', email: 'ann@acme.example', type: 'user' };
const issue = {
  id: 'i1',
  identifier: 'ENG-7',
  title: 'S',
  description: 'D',
  labels: [{ id: 'l1', name: 'svc' }],
};
const data = (type: string, action: string, more: object) => ({
  type,
  action,
  actor: user,
  createdAt: '2026-01-01T09:00:00Z',
  data: issue,
  url: 'https://linear.app/acme/issue/ENG-7/s',
  ...more,
});
const WHO = ['ENG-7', 'Ann', 'u1,ann@acme.example', false, true, null] as const;

for (const [name, payload, expected] of [
  ['created', data('Issue', 'create', {}), ['issue.opened', null, ...WHO]],
  [
    'labeled',
    data('Issue', 'update', { updatedFrom: { labelIds: [] } }),
    ['issue.labeled', null, ...WHO],
  ],
  [
    'moved',
    data('Issue', 'update', { updatedFrom: { stateId: 's' } }),
    ['issue.transitioned', null, ...WHO],
  ],
  [
    'assigned',
    data('Issue', 'update', { updatedFrom: { assigneeId: null } }),
    ['issue.assigned', null, ...WHO],
  ],
  [
    'comment that names its issue by the address alone',
    data('Comment', 'create', { data: { id: 'c1', body: 'hm', issue: { id: 'i1', title: 'S' } } }),
    ['issue.commented', 'commented', ...WHO],
  ],
  [
    'comment whose address has nothing behind the key but its own anchor',
    data('Comment', 'create', {
      url: 'https://linear.app/acme/issue/ENG-7#comment-1',
      data: { id: 'c1', body: 'hm' },
    }),
    ['issue.commented', 'commented', ...WHO],
  ],
  [
    'comment without an actor, by a user of the workspace',
    data('Comment', 'create', {
      actor: null,
      data: { id: 'c1', body: 'hm', issue, user: { id: 'u1', name: 'Ann' } },
    }),
    ['issue.commented', 'commented', 'ENG-7', 'Ann', 'u1', false, true, null],
  ],
  [
    'comment on an update of a project',
    data('Comment', 'create', {
      url: 'https://linear.app/acme/project/shop-1/updates#comment-1',
      data: { id: 'c1', body: 'hm', projectUpdateId: 'p1' },
    }),
    null,
  ],
  [
    'comment of an external user',
    data('Comment', 'create', { data: { id: 'c1', body: 'hm', issue, externalUserId: 'x' } }),
    ['issue.commented', 'commented', 'ENG-7', 'Ann', '', false, false, null],
  ],
  [
    'an integration',
    data('Comment', 'create', {
      actor: { ...user, type: 'integration' },
      data: { id: 'c1', body: 'hm', issue },
    }),
    ['issue.commented', 'commented', 'ENG-7', 'Ann', 'u1,ann@acme.example', true, null, null],
  ],
  ['a project', data('Project', 'create', {}), null],
] as const) {
  test(`Linear: ${name} (EVT-4)`, () => assert.equal(brief(linear(payload)), expected));
}

test('Linear: a delivery whose timestamp is not current is refused, even with a valid signature', async () => {
  const payload = data('Issue', 'create', {});
  for (const late of [NOW + 600_000, NOW - 600_000])
    assert.is(await codeOfRefusal(() => linear(payload, late)), 'unauthorized');
  assert.is(
    await codeOfRefusal(() => linear({ ...payload, webhookTimestamp: undefined })),
    'unauthorized',
  );
  assert.is(linear(payload, NOW + 299_000).id, 'd-1');
});

test('no payload makes a reader fail: any JSON is read as something or nothing', () => {
  for (const payload of [
    [],
    { issue: null },
    { object_kind: 'note' },
    { object_kind: 'merge_request', project: [] },
    { pullrequest: 3 },
    { webhookEvent: 'comment_created', issue: {} },
    { type: 'Comment' },
    JSON.parse('{"__proto__":{"issue":1}}'),
  ]) {
    for (const read of [gitlab, bitbucket, jira]) read(payload);
    linear(payload);
  }
});

test.run();
