import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReportedComment } from '../../src/contract/forge/tracker.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { toDeliveredEvent } from '../../src/plugins/installedTracker/deliveries.ts';
import { JOB_WORKFLOW } from '../support/charts/jobSteps.ts';
import { issueEvent, webhookStage } from '../support/forges/webhookStage.ts';
import { codeOfRefusal } from '../support/refusal.ts';

const test = suite('webhooks: comments on tickets of jobs');

const jiraComment = (
  body: string,
  author: object = { accountId: 'a1', displayName: 'Ann', accountType: 'atlassian' },
  key = 'SHOP-7',
  id = '1',
) => ({
  webhookEvent: 'comment_created',
  timestamp: Date.parse('2026-01-01T00:00:00Z'),
  comment: { id, body, author, created: '2026-01-01T00:00:00.000+0000' },
  issue: {
    key,
    self: 'https://acme.atlassian.net/rest/api/2/issue/1',
    fields: { summary: 'S', labels: [] },
  },
});

test('a comment reaches every live job whose params name the ticket, as key or as address, and no other (EVT-4)', async () => {
  const it = await webhookStage();
  const byKey = await it.job({ jiraTicketId: 'shop-7' });
  const byAddress = await it.job({ trackerRef: 'https://acme.atlassian.net/browse/SHOP-7' });
  const other = await it.job({ jiraTicketId: 'SHOP-77', description: 'SHOP-7' });
  const ended = await it.job({ jiraTicketId: 'SHOP-7' });
  await it.cancel(ended);
  await it.jira(jiraComment('Please use the new API.'));
  const expected = [['event:commented', 'Ann', 'Please use the new API.', 'jira:SHOP-7']];
  assert.equal(
    [byKey, byAddress, other, ended].map((id) => it.inbox(id)),
    [expected, expected, [], []],
  );
  const [item] = it.rows.all('inbox_items', { job_id: byKey });
  assert.equal(item?.url, 'https://acme.atlassian.net/browse/SHOP-7?focusedCommentId=1');
  assert.equal(item?.at, Date.parse('2026-01-01T00:00:00Z'));
  assert.equal(
    it.commits.at(-1),
    { rows: ['webhook_deliveries', 'webhook_deliveries'] },
    'one commit with the delivery',
  );
  await it.end();
});

test('issues of GitHub, and pull requests that a job refers to and does not own', async () => {
  const it = await webhookStage();
  const job = await it.job({ trackerRef: 'https://github.com/Acme/Shop/issues/3' });
  await it.github(issueEvent('created', 'bob', { comment: 'first' }));
  const onPr = issueEvent('created', 'bob', { comment: 'second' });
  await it.github({ ...onPr, issue: { ...onPr.issue, pull_request: {} } });
  assert.equal(
    it.inbox(job).map(([, , text]) => text),
    ['first', 'second'],
  );
  // Its own: the forge tells.
  const mapping = {
    forge: 'github',
    repo: 'acme/shop',
    number: 3,
    job_id: job,
    pr_id: 'github:acme/shop#3',
    title: '',
    head: '',
    base: '',
    url: '',
    state: 'open',
  };
  await it.kernel.submit({ rows: [{ op: 'put', table: 'pr_mappings', row: mapping }] });
  const third = issueEvent('created', 'bob', { comment: 'third' });
  await it.github({ ...third, issue: { ...third.issue, pull_request: {} } });
  assert.is(it.inbox(job).length, 2);
  await it.end();
});

test('comments of programs, svc itself, non-members and ignored authors reach no job; nor do edits and comments without text', async () => {
  const it = await webhookStage();
  const job = await it.job({ jiraTicketId: 'acme/shop#3' });
  const outsider = issueEvent('created', 'eve', { comment: 'I command you' });
  await it.github({
    ...outsider,
    comment: { ...Object(outsider.comment), author_association: 'NONE' },
  });
  await it.github(issueEvent('created', 'svc-robot', { comment: 'mine' }));
  await it.github(issueEvent('created', 'build[bot]', { comment: 'built' }));
  await it.github(issueEvent('created', 'grump', { comment: 'no' }));
  await it.github(
    issueEvent('created', 'bob', { comment: 'done\n\n<!-- svc:op=0123456789abcdef01234567 -->' }),
  );
  await it.github(issueEvent('edited', 'bob', { comment: 'edited' }));
  await it.github(issueEvent('labeled', 'bob'));
  assert.equal(it.inbox(job), []);
  await it.github(issueEvent('created', 'bob', { comment: 'hello' }));
  assert.is(it.inbox(job).length, 1);
  await it.end();
});

test('who is named in wakeAuthors is heard by id, not by a name that anybody can take', async () => {
  const it = await webhookStage([], 'a1');
  const job = await it.job({ jiraTicketId: 'SHOP-7' });
  await it.jira(
    jiraComment(
      'false',
      { accountId: 'zz', displayName: 'a1', accountType: 'atlassian' },
      'SHOP-7',
      '1',
    ),
  );
  await it.jira(
    jiraComment(
      'true',
      { accountId: 'a1', displayName: 'Ann', accountType: 'customer' },
      'SHOP-7',
      '2',
    ),
  );
  assert.equal(
    it.inbox(job).map(([, , text]) => text),
    ['true'],
  );
  await it.end();
});

test('a comment that is delivered under several ids is reported once; one dated a week ago is not reported', async () => {
  const it = await webhookStage();
  const job = await it.job({ jiraTicketId: 'SHOP-7' });
  const payload = jiraComment('once');
  const replies = [
    await it.jira(payload),
    await it.jira(payload),
    await it.jira({ ...payload, retry: 1 }),
  ];
  assert.equal(
    replies.map(({ duplicate }) => duplicate),
    [false, true, false],
  );
  assert.is(it.inbox(job).length, 1);
  it.clock.advance(8 * 24 * 3_600_000);
  await it.jira({ ...jiraComment('old', undefined, 'SHOP-7', '9'), retry: 2 });
  assert.is(it.inbox(job).length, 1);
  await it.end();
});

test('a job that waits is woken by a comment on its ticket, in the phase that waited (EVT-4, JOB-6)', async () => {
  const it = await webhookStage();
  const job = await it.job({ jiraTicketId: 'SHOP-7' });
  assert.equal(it.rows.all('job_references'), [{ reference: 'shop-7', job_id: job }]);
  const session = { visit: 1, session: 1 };
  for (const event of [
    { type: 'slot.granted' },
    { type: 'phase.prepared', visit: 1, workflow: JOB_WORKFLOW, overlayHash: 'h', checkout: null },
    {
      type: 'tool.await_event',
      kinds: ['commented'],
      prId: null,
      resumePhase: null,
      heard: ['shop-7'],
      ...session,
    },
    { type: 'session.ended', stopReason: 'end_turn', error: null, usage: null, ...session },
  ]) {
    assert.is((await it.kernel.send(job, event)).accepted, true, event.type);
  }
  assert.equal(it.kernel.state(job)?.value, { parked: 'event' });
  await it.jira(jiraComment('wake up'));
  const { value, context } = it.kernel.state(job) ?? {};
  assert.equal(value, 'queued');
  assert.equal(Object(context).eventKey ?? Object(context).next?.eventKey, 'event:commented');
  await it.end();
});

test('a comment of a private member, whom GitHub calls a contributor, reaches the job (EVT-4)', async () => {
  const it = await webhookStage([], '', async ({ author }) => author === 'eve');
  const job = await it.job({ jiraTicketId: 'acme/shop#3' });
  for (const login of ['eve', 'mallory']) {
    const event = issueEvent('created', login, { comment: `I am ${login}.` });
    const comment = { ...Object(event.comment), author_association: 'CONTRIBUTOR' };
    await it.github({ ...event, comment });
  }
  assert.equal(
    it.inbox(job).map(([, author]) => author),
    ['eve'],
  );
  await it.end();
});

const deliverComment = (more: Partial<ReportedComment> = {}) =>
  toDeliveredEvent({
    key: 'MT-1',
    id: '1',
    author: 'Ann',
    body: 'Please hurry.',
    at: '2026-01-01T00:00:00Z',
    own: false,
    member: true,
    ...more,
  });

test('what the plugin of an installed tracker reports reaches the jobs of its tickets, and no job whose ticket with that key is elsewhere (EVT-4)', async () => {
  const it = await webhookStage();
  const here = await it.job({ jiraTicketId: 'MT-1', trackerProvider: 'tick' });
  const open = await it.job({ jiraTicketId: 'mt-1' });
  const elsewhere = await it.job({ jiraTicketId: 'MT-1', trackerProvider: 'jira' });
  it.translate = async () => deliverComment();
  assert.equal(await it.tick({ n: 1 }), { accepted: true, duplicate: false });
  const expected = [['event:commented', 'Ann', 'Please hurry.', 'tick:MT-1']];
  assert.equal(
    [here, open, elsewhere].map((id) => it.inbox(id)),
    [expected, expected, []],
  );
  await it.end();
});

test('its own comments, those of programs, of outsiders and of ignored accounts reach no job', async () => {
  const it = await webhookStage();
  const job = await it.job({ jiraTicketId: 'MT-1', trackerProvider: 'tick' });
  for (const [n, more] of [
    { own: true },
    { bot: true },
    { member: false },
    { authorId: 'grump' },
  ].entries()) {
    it.translate = async () => deliverComment({ ...more, id: String(n) });
    await it.tick({ n });
  }
  assert.equal(it.inbox(job), []);
  await it.end();
});

test('a plugin is asked about a delivery once, and again only where it could not say', async () => {
  const it = await webhookStage();
  const job = await it.job({ jiraTicketId: 'MT-1', trackerProvider: 'tick' });
  let calls = 0;
  it.translate = async () => {
    calls += 1;
    if (calls === 1) throw new SvcError('unreachable', 'tick could not read it.');
    return deliverComment();
  };
  assert.is(await codeOfRefusal(() => it.tick({ n: 1 }, 'd-1')), 'unreachable');
  const again = await Promise.all([it.tick({ n: 1 }, 'd-1'), it.tick({ n: 1 }, 'd-2')]);
  assert.equal(
    again.map(({ duplicate }) => duplicate),
    [false, true],
  );
  assert.is(calls, 2);
  assert.is(it.inbox(job).length, 1);
  await it.end();
});

test.run();
