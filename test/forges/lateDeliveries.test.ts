import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rule, webhookStage } from '../support/forges/webhookStage.ts';

const test = suite('webhooks: deliveries that come late, out of order and twice');

/** Minutes after the start, as each provider writes them. */
const at = (minute: number) => Date.parse('2026-01-01T00:00:00Z') + minute * 60_000;
const iso = (minute: number) => new Date(at(minute)).toISOString();

interface Provider {
  name: 'gitlab' | 'bitbucket' | 'jira' | 'linear';
  /** The ticket as the params of a job name it. */
  ticket: string;
  comment(id: number, text: string, minute: number): object;
  /** The comment as it was changed at a time. */
  edited(id: number, text: string, minute: number): object;
  /** A label that was set, or another event that a rule may be about. */
  change(minute: number): object;
  changed: string;
}

const gitlab = { project: { path_with_namespace: 'group/shop' }, user: { username: 'ann' } };
const gitlabNote = (action: string) => (id: number, note: string, minute: number) => ({
  ...gitlab,
  object_kind: 'note',
  issue: { iid: 3, title: 'T' },
  object_attributes: { id, note, action, created_at: iso(minute), url: 'n' },
});
const bitbucketActor = { type: 'user', nickname: 'ann', account_id: '557058:1', uuid: '{u-1}' };
const bitbucket = { actor: bitbucketActor, repository: { full_name: 'acme/shop' } };
const bitbucketIssue = (created: number, updated: number) => ({
  ...bitbucket,
  issue: { id: 3, title: 'T', created_on: iso(created), updated_on: iso(updated) },
});
const bitbucketComment = (after: number) => (id: number, raw: string, minute: number) => ({
  ...bitbucketIssue(0, 0),
  comment: { id, content: { raw }, created_on: iso(minute), updated_on: iso(minute + after) },
});
const ann = { accountId: 'a1', displayName: 'Ann', accountType: 'atlassian' };
const jiraIssue = { key: 'SHOP-7', fields: { summary: 'S', labels: ['svc'] } };
const jiraComment = (webhookEvent: string) => (id: number, body: string, minute: number) => ({
  webhookEvent,
  timestamp: at(minute),
  comment: { id: String(id), body, author: ann, updateAuthor: ann, created: iso(minute) },
  issue: jiraIssue,
});
const linearActor = { id: 'u1', name: 'Ann', type: 'user' };
const linearComment = (action: string) => (id: number, body: string, minute: number) => ({
  type: 'Comment',
  action,
  actor: linearActor,
  createdAt: iso(minute),
  data: { id: `c${id}`, body, createdAt: iso(minute), issue: { identifier: 'ENG-3', title: 'T' } },
});

const PROVIDERS: readonly Provider[] = [
  {
    name: 'gitlab',
    ticket: 'group/shop#3',
    comment: gitlabNote('create'),
    edited: gitlabNote('update'),
    change: (minute) => ({
      ...gitlab,
      object_kind: 'issue',
      labels: [{ title: 'svc' }],
      object_attributes: { id: 9, iid: 3, title: 'T', action: 'update', updated_at: iso(minute) },
      changes: { labels: { previous: [], current: [{ title: 'svc' }] } },
    }),
    changed: 'issue.labeled',
  },
  {
    name: 'bitbucket',
    ticket: 'acme/shop#3',
    comment: bitbucketComment(0),
    edited: bitbucketComment(1),
    change: (minute) => bitbucketIssue(-60, minute),
    changed: 'issue.edited',
  },
  {
    name: 'jira',
    ticket: 'SHOP-7',
    comment: jiraComment('comment_created'),
    edited: jiraComment('comment_updated'),
    change: (minute) => ({
      webhookEvent: 'jira:issue_updated',
      timestamp: at(minute),
      user: ann,
      issue: jiraIssue,
      changelog: { items: [{ field: 'labels', fromString: '', toString: 'svc' }] },
    }),
    changed: 'issue.labeled',
  },
  {
    name: 'linear',
    ticket: 'ENG-3',
    comment: linearComment('create'),
    edited: linearComment('update'),
    change: (minute) => ({
      type: 'Issue',
      action: 'update',
      actor: linearActor,
      createdAt: iso(minute),
      data: { id: 'i', identifier: 'ENG-3', title: 'T', labels: [{ id: 'l', name: 'svc' }] },
      updatedFrom: { labelIds: [] },
    }),
    changed: 'issue.labeled',
  },
];

for (const { name, ticket, comment, edited, change, changed } of PROVIDERS) {
  test(`${name}: each comment reaches a job once, whatever the order, and nothing older changes it`, async () => {
    const it = await webhookStage([], '*');
    const job = await it.job({ jiraTicketId: ticket });
    it.clock.advance(10 * 60_000);
    const second = comment(2, 'second', 8);
    await it.deliver(name, second, 'a');
    await it.deliver(name, comment(1, 'first', 5), 'b');
    const texts = () => it.inbox(job).map(([, , text]) => text);
    assert.equal(texts(), ['second', 'first'], 'one that comes late is not lost');
    const before = JSON.stringify(it.rows.all('inbox_items', { job_id: job }));
    assert.is((await it.deliver(name, second, 'a')).duplicate, true);
    assert.is((await it.deliver(name, second, 'c')).duplicate, true);
    // The same comment in other bytes, as a provider sends it again after it has changed.
    await it.deliver(name, { ...comment(2, 'before the change', 8), more: 1 }, 'd');
    await it.deliver(name, edited(2, 'after the change', 8), 'e');
    await it.deliver(name, { ...comment(1, 'first', 5), more: 2 }, 'f');
    await it.deliver(name, change(3), 'g');
    assert.is(JSON.stringify(it.rows.all('inbox_items', { job_id: job })), before);
    await it.end();
  });

  test(`${name}: a rule makes one job of the newest event, and none of an older one that comes after it has ended`, async () => {
    const it = await webhookStage([
      rule({ plugin: name, events: [changed], labels: [], authors: ['*'] }),
    ]);
    it.clock.advance(10 * 60_000);
    await it.deliver(name, change(9), 'a');
    assert.is(it.rows.count('trigger_runs'), 1);
    await it.cancel('shop-job-1');
    await it.deliver(name, change(9), 'a');
    await it.deliver(name, change(9), 'b');
    await it.deliver(name, change(4), 'c');
    assert.is(it.rows.count('trigger_runs'), 1);
    it.clock.advance(10 * 60_000);
    await it.deliver(name, change(15), 'd');
    assert.is(it.rows.count('trigger_runs'), 2, 'a new one makes the next job');
    await it.end();
  });
}

for (const [name, opened, merged] of [
  [
    'gitlab',
    {
      ...gitlab,
      object_kind: 'merge_request',
      object_attributes: { id: 1, iid: 3, action: 'open', updated_at: iso(1) },
    },
    {
      ...gitlab,
      object_kind: 'merge_request',
      object_attributes: { id: 1, iid: 3, action: 'merge', updated_at: iso(5) },
    },
  ],
  [
    'bitbucket',
    { ...bitbucket, pullrequest: { id: 3, state: 'OPEN', updated_on: iso(1) } },
    { ...bitbucket, pullrequest: { id: 3, state: 'MERGED', updated_on: iso(5) } },
  ],
] as const)
  test(`${name}: deliveries about a job's own pull request write nothing but that they came`, async () => {
    const it = await webhookStage();
    const job = await it.job({});
    const repo = name === 'gitlab' ? 'group/shop' : 'acme/shop';
    const row = {
      forge: name,
      repo,
      number: 3,
      job_id: job,
      pr_id: `${name}:${repo}!3`,
      title: '',
      head: '',
      base: '',
      url: '',
      state: 'open',
    };
    await it.kernel.submit({ rows: [{ op: 'put', table: 'pr_mappings', row }] });
    const before = JSON.stringify([it.inbox(job), it.context(job)]);
    for (const [payload, id] of [
      [merged, 'a'],
      [opened, 'b'],
      [opened, 'b'],
    ] as const)
      await it.deliver(name, payload, id);
    assert.is(JSON.stringify([it.inbox(job), it.context(job)]), before);
    assert.equal(
      it.rows.all('pr_mappings', { job_id: job }).map(({ state }) => state),
      ['open'],
      'what happened is read from the forge',
    );
    assert.is(
      it.commits.every(({ rows }) => rows.every((table) => table === 'webhook_deliveries')),
      true,
    );
    await it.end();
  });

test.run();
