import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { issueEvent, rule, webhookStage } from '../../support/forges/webhookStage.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('webhooks: rules that make jobs');

const MINUTE_MS = 60_000;

test('a member who sets the label makes a job; params are filled in, and the job says who made it (RUN-8)', async () => {
  const it = await webhookStage([rule()]);
  assert.equal(await it.github(issueEvent('labeled', 'bob'), 'delivery-a'), {
    accepted: true,
    duplicate: false,
  });
  const { params, type, workflowPath } = it.context('shop-job-1');
  const url = 'https://github.com/acme/shop/issues/3';
  assert.equal(type, 'job');
  assert.equal(workflowPath, 'workflows/job.md');
  assert.equal(params, {
    jiraTicketId: 'acme/shop#3',
    description: 'It is broken',
    trigger: {
      rule: 'bugs',
      plugin: 'github',
      event: 'issue.labeled',
      author: 'bob',
      url,
      deliveryId: 'delivery-a',
    },
  });
  assert.equal(
    it.rows.all('trigger_runs').map((row) => ({ ...Object(row), at: 0 })),
    [
      {
        rule: 'bugs',
        subject: 'acme/shop#3',
        job_id: 'shop-job-1',
        at: 0,
        plugin_id: 'github',
        delivery_id: 'delivery-a',
        event: 'issue.labeled',
        author: 'bob',
      },
    ],
  );
  assert.is(it.rows.count('webhook_deliveries', { delivery_id: 'delivery-a' }), 1);
  assert.not(
    it.commits.some(({ rows }) => rows.includes('webhook_deliveries')),
    'the delivery is remembered in the commit of the job',
  );
  await it.end();
});

for (const [name, more, payload, why] of [
  ['another label', { labels: ['other'] }, issueEvent('labeled', 'bob'), null],
  ['another event', {}, issueEvent('opened', 'bob'), null],
  ['another repository', { repos: ['acme/site'] }, issueEvent('labeled', 'bob'), null],
  ['a text that is not there', { text: 'PAYMENT' }, issueEvent('labeled', 'bob'), null],
  ['a rule that is switched off', { enabled: false }, issueEvent('labeled', 'bob'), null],
  [
    'an outsider whose form sets the label',
    {},
    issueEvent('labeled', 'eve'),
    'eve is not a member',
  ],
  [
    'an author who is not named',
    { authors: ['ann'] },
    issueEvent('labeled', 'bob'),
    "bob (bob) is not among the rule's authors",
  ],
  [
    'an author about whom the delivery says nothing',
    { events: ['issue.edited'] },
    issueEvent('edited', 'bob'),
    'the delivery does not say whether bob is a project member: list the authors in the rule',
  ],
  [
    'a program',
    { authors: ['*'] },
    issueEvent('labeled', 'robot[bot]'),
    "robot[bot] is a program, and is not among the rule's authors",
  ],
  ['svc itself', { authors: ['*'] }, issueEvent('labeled', 'svc-robot'), 'svc did it itself'],
] as const) {
  test(`${name} makes no job${why === null ? '' : ', and the log says why'} (RUN-8)`, async () => {
    const it = await webhookStage([rule(more)]);
    assert.equal(await it.github(payload), { accepted: true, duplicate: false });
    assert.is(it.rows.count('trigger_runs'), 0);
    assert.equal(
      it.lines.map((line) => line.why),
      why === null ? [] : [why],
    );
    assert.is(it.rows.count('webhook_deliveries'), 2, 'remembered by its id and by its bytes');
    await it.end();
  });
}

test('a rule may name authors or a program, or allow everyone (RUN-8)', async () => {
  for (const [authors, login] of [
    [['@Bob'], 'bob'],
    [['robot[bot]'], 'robot[bot]'],
    [['*'], 'eve'],
  ] as const) {
    const it = await webhookStage([rule({ authors })]);
    await it.github(issueEvent('labeled', login));
    assert.is(it.rows.count('trigger_runs'), 1, login);
    await it.end();
  }
});

test('a delivery that comes again, at once or later, under its id or another, makes no second job (RUN-8)', async () => {
  const it = await webhookStage([rule({ repeat: 'always' })]);
  const payload = issueEvent('labeled', 'bob');
  const replies = await Promise.all([
    it.github(payload, 'delivery-a'),
    it.github(payload, 'delivery-a'),
    it.github(payload, 'delivery-b'),
  ]);
  assert.equal(
    replies.map(({ duplicate }) => duplicate),
    [false, true, true],
  );
  it.clock.advance(6 * 24 * 60 * MINUTE_MS);
  assert.equal(await it.github(payload, 'delivery-c'), { accepted: true, duplicate: true });
  assert.is(it.rows.count('trigger_runs'), 1);
  // Forgotten after a week; by then what it says is too old.
  it.clock.advance(2 * 24 * 60 * MINUTE_MS);
  await it.webhooks.tidy();
  assert.is(it.rows.count('webhook_deliveries'), 0);
  assert.equal(await it.github(payload, 'delivery-d'), { accepted: true, duplicate: false });
  assert.is(it.rows.count('trigger_runs'), 1);
  await it.end();
});

test('a ticket has one live job, also when two labels are set at once or a person has begun; when it has ended the next may come', async () => {
  const it = await webhookStage([rule()]);
  await Promise.all([
    it.github(issueEvent('labeled', 'bob')),
    it.github(issueEvent('labeled', 'bob')),
  ]);
  assert.equal(it.rows.count('trigger_runs'), 1);
  assert.equal(it.lines.map(({ why }) => why).filter(Boolean), [
    'shop-job-1 already works on acme/shop#3',
  ]);
  await it.cancel('shop-job-1');
  await it.github(issueEvent('labeled', 'bob'));
  assert.equal(it.rows.count('trigger_runs'), 2);

  await it.job({ jiraTicketId: 'https://github.com/acme/shop/issues/4' });
  await it.github(issueEvent('labeled', 'bob', { number: 4 }));
  assert.equal(it.rows.count('trigger_runs'), 2);
  await it.end();
});

test('repeat "always" creates a job each time; perHour limits them, and an hour later they continue', async () => {
  const it = await webhookStage([rule({ repeat: 'always', perHour: 2 })]);
  for (let n = 0; n < 3; n += 1) await it.github(issueEvent('labeled', 'bob'));
  assert.is(it.rows.count('trigger_runs'), 2);
  assert.is(it.lines.at(-1)?.why, 'the rule has created 2 jobs in the last hour (perHour)');
  assert.equal(it.triggers.views(), [
    {
      id: 'bugs',
      enabled: true,
      plugin: 'github',
      events: ['issue.labeled'],
      workflow: 'workflows/job.md',
      perHour: 2,
      madeThisHour: 2,
      refused: 1,
      lastRefusal: 'the rule has created 2 jobs in the last hour (perHour)',
    },
  ]);
  it.clock.advance(60 * MINUTE_MS);
  await it.github(issueEvent('labeled', 'bob', { at: '2026-01-01T01:00:00Z' }));
  assert.is(it.rows.count('trigger_runs'), 3);
  await it.end();
});

test('the first rule that applies to the event decides; a text of an outsider brings in nothing but itself', async () => {
  const params = {
    description: '{{title}} / {{ text }} / {{nothing}}',
    size: 3,
    interactive: false,
  };
  const it = await webhookStage([
    rule({ labels: ['none'] }),
    rule({ id: 'second', params }),
    rule({ id: 'third' }),
  ]);
  await it.github(issueEvent('labeled', 'bob', { title: `{{text}} $& ${'x'.repeat(400)}` }));
  const { description, size, interactive, trigger } = it.context('shop-job-1').params;
  assert.equal(size, 3);
  assert.equal(interactive, false);
  assert.equal(Object(trigger).rule, 'second');
  assert.match(String(description), /^\{\{text\}\} \$& x{287}… \/ Fix it\. \/ \{\{nothing\}\}$/);
  await it.end();
});

test('a rule that cannot work is said in the log and not tried again; a failure of the runner is answered as one, and tried again', async () => {
  const it = await webhookStage([rule()]);
  it.refuse = new SvcError('invalid', 'The workflow workflows/job.md does not exist.');
  const payload = issueEvent('labeled', 'bob');
  assert.equal(await it.github(payload, 'delivery-a'), { accepted: true, duplicate: false });
  assert.is(it.lines.at(-1)?.why, 'The workflow workflows/job.md does not exist.');
  it.refuse = new SvcError('store-failed', 'The disk is full.');
  const other = issueEvent('labeled', 'bob', { number: 5 });
  assert.is(await codeOfRefusal(() => it.github(other, 'delivery-b')), 'store-failed');
  it.refuse = null;
  assert.equal(await it.github(payload, 'delivery-a'), { accepted: true, duplicate: true });
  assert.equal(await it.github(other, 'delivery-b'), { accepted: true, duplicate: false });
  assert.is(it.rows.count('trigger_runs'), 1);
  await it.end();
});

test('a fault of the machine that passes is no refusal by the rule: the delivery is not remembered, and makes its job when it comes again', async () => {
  const it = await webhookStage([rule()]);
  const cause = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  it.refuse = new SvcError('config-invalid', 'The base layer cannot be read.', { cause });
  const payload = issueEvent('labeled', 'bob');
  assert.is(await codeOfRefusal(() => it.github(payload, 'a')), 'temporarily-unavailable');
  it.refuse = null;
  assert.equal(await it.github(payload, 'a'), { accepted: true, duplicate: false });
  assert.is(it.rows.count('trigger_runs'), 1);
  await it.end();
});

test('a private member, whom GitHub calls a contributor, makes a job: the provider is asked, and only where it decides (RUN-8)', async () => {
  const authors: string[] = [];
  const it = await webhookStage([rule()], '', async ({ author }) => {
    authors.push(author);
    return author === 'eve';
  });
  await it.github(issueEvent('labeled', 'bob'));
  await it.github(issueEvent('labeled', 'robot[bot]', { number: 4 }));
  await it.github(issueEvent('opened', 'eve', { number: 5 }));
  assert.equal(authors, [], 'a member, a program, and an event without a rule');
  await it.github(issueEvent('labeled', 'eve', { number: 6 }));
  await it.github(issueEvent('labeled', 'mallory', { number: 7, user: 'mallory' }));
  assert.equal(authors, ['eve', 'mallory']);
  assert.equal(
    it.rows.all('trigger_runs').map(({ author }) => author),
    ['bob', 'eve'],
  );
  assert.is(it.lines.at(-1)?.why, 'mallory is not a member');
  await it.end();
});

test('a delivery whose author the provider cannot say anything of now is not remembered, so that it can be sent again', async () => {
  let isDown = true;
  const it = await webhookStage([rule()], '', async () => {
    if (isDown) throw new SvcError('unreachable', 'github did not report it; send it again.');
    return true;
  });
  const payload = issueEvent('labeled', 'eve');
  assert.is(await codeOfRefusal(() => it.github(payload, 'again')), 'unreachable');
  isDown = false;
  assert.equal(await it.github(payload, 'again'), { accepted: true, duplicate: false });
  assert.is(it.rows.count('trigger_runs'), 1);
  await it.end();
});

test.run();
