import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitlabWebhook } from '../../../src/providers/gitlab/hooks.ts';
import { codeOfRefusal } from '../../support/refusal.ts';
import { bitbucket, brief, gitlab, NOW } from '../../support/forges/signedPayloads.ts';

const test = suite('webhooks: GitLab, Bitbucket');

const mr = (action: string, more: object = {}, attributes: object = {}) => ({
  object_kind: 'merge_request',
  user: { username: 'ann' },
  project: { path_with_namespace: 'group/shop' },
  labels: [{ title: 'svc' }],
  object_attributes: {
    id: 99,
    iid: 3,
    title: 'T',
    action,
    url: 'u',
    updated_at: '2026-01-01 09:00:00 UTC',
    ...attributes,
  },
  ...more,
});
const note = (more: object, attributes: object = {}) => ({
  object_kind: 'note',
  user: { username: 'ann' },
  project: { path_with_namespace: 'group/shop' },
  object_attributes: {
    id: 7,
    note: 'hm',
    action: 'create',
    system: false,
    created_at: '2026-01-01 09:00:00 UTC',
    url: 'n',
    ...attributes,
  },
  ...more,
});
const MR = { merge_request: { iid: 3, title: 'T' } };
const labels = {
  changes: { labels: { previous: [{ title: 'a' }], current: [{ title: 'a' }, { title: 'svc' }] } },
};

for (const [name, payload, expected] of [
  [
    'open',
    mr('open'),
    ['pull_request.opened', null, 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'push',
    mr('update', {}, { oldrev: 'abc' }),
    ['pull_request.synchronize', null, 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'label',
    mr('update', labels),
    ['pull_request.labeled', null, 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'approved',
    mr('approved'),
    ['pull_request.approved', 'approved', 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'merge',
    mr('merge'),
    ['pull_request.merged', 'merged', 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'token of a project',
    mr('close', { user: { username: 'project_1_bot_af' } }),
    [
      'pull_request.closed',
      'closed',
      'group/shop!3',
      'project_1_bot_af',
      'project_1_bot_af',
      true,
      null,
      [3],
    ],
  ],
  [
    'note',
    note(MR),
    ['pull_request.commented', 'commented', 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'thread',
    note(MR, { type: 'DiffNote', position: { new_path: 'a.ts', new_line: 4 } }),
    ['pull_request.review_thread', 'review_thread', 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'words of GitLab',
    note(MR, { system: true }),
    ['pull_request.commented', null, 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'note on an issue',
    note({ issue: { iid: 4, title: 'I' } }),
    ['issue.commented', 'commented', 'group/shop#4', 'ann', 'ann', false, null, null],
  ],
  [
    'edited note',
    note(MR, { action: 'update' }),
    ['pull_request.commented_edited', null, 'group/shop!3', 'ann', 'ann', false, null, [3]],
  ],
  [
    'issue',
    { ...mr('open', labels), object_kind: 'issue' },
    ['issue.opened', null, 'group/shop#3', 'ann', 'ann', false, null, null],
  ],
  [
    'pipeline',
    {
      object_kind: 'pipeline',
      ...MR,
      project: { path_with_namespace: 'group/shop' },
      object_attributes: { id: 5, status: 'failed' },
    },
    ['check.failed', 'check_failed', 'group/shop!3', 'pipeline', '', false, true, [3]],
  ],
  [
    'pipeline of a branch',
    {
      object_kind: 'pipeline',
      project: { path_with_namespace: 'group/shop' },
      object_attributes: { id: 5, status: 'running' },
    },
    ['check.running', null, null, 'pipeline', '', false, true, null],
  ],
  [
    'push of commits',
    { object_kind: 'push', project: { path_with_namespace: 'group/shop' } },
    null,
  ],
] as const) {
  test(`GitLab: ${name} (EVT-4)`, () => assert.equal(brief(gitlab(payload)), expected));
}

test('GitLab: labels that were just set, the place of a thread, what a delivery without an id is called', () => {
  assert.equal(gitlab(mr('update', labels)).event?.newLabels, ['svc']);
  const thread = gitlab(
    note(MR, { type: 'DiffNote', position: { new_path: 'a.ts', new_line: 4 } }),
  );
  assert.is(thread.event?.text, 'a.ts:4\nhm');
  assert.match(thread.id, /^sha256:[0-9a-f]{64}$/);
  assert.is(thread.event?.happenedAt, Date.parse('2026-01-01T09:00:00Z'));
});

test('GitLab: where a signing token is configured, the older token is not taken', async () => {
  const token = `whsec_${Buffer.from('0123456789abcdefghijklmn').toString('base64')}`;
  const headers = { 'x-gitlab-token': token };
  assert.is(
    await codeOfRefusal(() =>
      gitlabWebhook(token)({ rawBody: Buffer.from('{}'), headers, receivedAt: NOW }),
    ),
    'unauthorized',
  );
});

const actor = { type: 'user', nickname: 'ann', account_id: '557058:1', uuid: '{u-1}' };
const pr = (more: object = {}, of: object = {}) => ({
  actor,
  repository: { full_name: 'acme/shop' },
  pullrequest: {
    id: 3,
    title: 'T',
    state: 'OPEN',
    created_on: '2026-01-01T09:00:00Z',
    updated_on: '2026-01-01T09:00:00Z',
    ...of,
  },
  ...more,
});
const comment = (more: object = {}) => ({
  comment: {
    id: 8,
    content: { raw: 'hm' },
    created_on: '2026-01-01T09:00:00Z',
    updated_on: '2026-01-01T09:00:00Z',
    ...more,
  },
});
const ANN = ['ann', '557058:1,{u-1}', false, null, [3]] as const;

for (const [name, payload, expected] of [
  ['opened', pr(), ['pull_request.opened', null, 'acme/shop!3', ...ANN]],
  [
    'changed',
    pr({}, { updated_on: '2026-01-01T09:05:00Z' }),
    ['pull_request.edited', null, 'acme/shop!3', ...ANN],
  ],
  [
    'approved',
    pr(
      { approval: { date: 'd', user: actor } },
      { participants: [{ user: actor, state: 'approved' }] },
    ),
    ['pull_request.approved', 'approved', 'acme/shop!3', ...ANN],
  ],
  [
    'approval taken back',
    pr({ approval: { date: 'd', user: actor } }, { participants: [{ user: actor, state: null }] }),
    ['pull_request.unapproved', null, 'acme/shop!3', ...ANN],
  ],
  [
    'changes requested',
    pr(
      { changes_request: { date: 'd' } },
      { participants: [{ user: actor, state: 'changes_requested' }] },
    ),
    ['pull_request.changes_requested', 'changes_requested', 'acme/shop!3', ...ANN],
  ],
  ['merged', pr({}, { state: 'MERGED' }), ['pull_request.merged', 'merged', 'acme/shop!3', ...ANN]],
  [
    'declined',
    pr({}, { state: 'DECLINED' }),
    ['pull_request.closed', 'closed', 'acme/shop!3', ...ANN],
  ],
  ['comment', pr(comment()), ['pull_request.commented', 'commented', 'acme/shop!3', ...ANN]],
  [
    'comment in the code',
    pr(comment({ inline: { path: 'a.ts', to: 4 } })),
    ['pull_request.review_thread', 'review_thread', 'acme/shop!3', ...ANN],
  ],
  [
    'comment changed',
    pr(comment({ updated_on: '2026-01-01T09:09:00Z' })),
    ['pull_request.commented_edited', null, 'acme/shop!3', ...ANN],
  ],
  [
    'comment removed',
    pr(comment({ deleted: true })),
    ['pull_request.commented_deleted', null, 'acme/shop!3', ...ANN],
  ],
  [
    'a program',
    pr({ ...comment(), actor: { ...actor, type: 'AppUser' } }),
    [
      'pull_request.commented',
      'commented',
      'acme/shop!3',
      'ann',
      '557058:1,{u-1}',
      true,
      null,
      [3],
    ],
  ],
  [
    'build',
    {
      actor,
      repository: { full_name: 'acme/shop' },
      commit_status: { key: 'ci', state: 'FAILED' },
    },
    ['check.failed', 'check_failed', null, 'ci', '', false, true, null],
  ],
  ['push', { actor, repository: { full_name: 'acme/shop' }, push: {} }, null],
] as const) {
  test(`Bitbucket: ${name} (EVT-4)`, () => assert.equal(brief(bitbucket(payload)), expected));
}

test.run();
