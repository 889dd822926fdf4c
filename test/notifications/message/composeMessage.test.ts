import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fact } from '../../../src/notifications/rules/fact.ts';
import {
  composeMessage,
  type NotifiedJob,
  omitResolvedItems,
} from '../../../src/notifications/message/composeMessage.ts';
import { renderPushMessage } from '../../../src/notifications/message/renderPushMessage.ts';
import { listDetailLines } from '../../../src/notifications/message/listDetailLines.ts';
import { renderPlainText } from '../../../src/notifications/message/renderPlainText.ts';
import { makeItem } from '../../support/notifications/makeMessage.ts';
import { makeFact } from '../makeFact.ts';

const test = suite('notifications: what a message says');

const SINCE = '2026-06-10T12:00:00.000Z';
const AT = Date.parse(SINCE);
const JOB: NotifiedJob = {
  description: 'Fix the cart\nIt adds wrong.',
  repoSlug: 'acme/shop',
  workflowPath: 'workflows/job.md',
  phase: 'plan',
  reason: 'The plan waits for approval.',
  needs: { group: 'decide', ask: 'approval', since: SINCE },
  cost: { usd: 1.234, unpriced: 0, tokens: 900, unreported: 0 },
};

const compose = (facts: readonly Fact[], job: NotifiedJob | null = JOB) =>
  composeMessage(
    { id: 'msg_1', created_at: AT, facts: JSON.stringify(facts) },
    {
      job: () => job,
      schedule: () => null,
      screen: (text) => text.replaceAll('hunter2-hunter2', '[secret]'),
      baseUrl: 'https://svc.example.com',
    },
  );

test('it names the job, why, since when, what it has cost, and where it is', () => {
  const { title, url, items } = compose([makeFact({ at: AT })]);
  assert.is(title, 'Waiting for your approval: Fix the cart');
  assert.is(url, 'https://svc.example.com/dashboard/#/jobs/j1');
  assert.equal(items[0], {
    id: 'j1/approval/0',
    kind: 'needs-you',
    reason: 'approval',
    label: 'Waiting for your approval',
    title: 'Fix the cart',
    why: 'The plan waits for approval.',
    since: SINCE,
    resolved: false,
    url,
    job: {
      id: 'j1',
      repository: 'acme/shop',
      workflow: 'workflows/job.md',
      phase: 'plan',
      costUsd: 1.234,
      tokens: 900,
      lastLines: [],
      firstError: null,
      exitCode: null,
    },
    schedule: null,
  });
});

test('several items are counted by kind, and lead to the inbox', () => {
  const facts = [
    makeFact({ id: 'a', at: AT }),
    makeFact({ id: 'b', at: AT }),
    makeFact({ id: 'c', kind: 'report', reason: 'report', jobId: null, text: '3 complete.' }),
  ];
  const message = compose(facts);
  assert.is(message.title, '2 jobs need you, 1 report');
  assert.is(message.url, 'https://svc.example.com/dashboard/#/inbox');
  assert.is(message.items[2]?.url, 'https://svc.example.com/dashboard/#/report');
  assert.is(message.items[2]?.why, '3 complete.');
});

test('it has no secret and no hidden character, and each text is one line', () => {
  const { items } = compose([makeFact({ at: AT })], {
    ...JOB,
    description: 'Use hunter2-hunter2\u202e now',
    reason: 'The key hunter2-hunter2\nis wrong',
    lastOutput: {
      phase: 'plan',
      visit: 1,
      lines: [{ number: 1, text: 'password: hunter2-hunter2' }],
    },
  });
  const [item] = items;
  assert.equal(
    [item?.title, item?.why, item?.job?.lastLines],
    ['Use [secret][U+202E (invisible)] now', 'The key [secret] is wrong', ['password: [secret]']],
  );
});

test('a failure has its first error, also where five lines follow it, and the exit code', () => {
  const texts = ['error: no such package', 'a', 'b', 'c', 'd', 'e'];
  const lines = texts.map((text, n) =>
    n === 0 ? { number: 12, text, isError: true as const } : { number: 20 + n, text },
  );
  const message = compose([makeFact({ at: AT, kind: 'broken', reason: 'failed' })], {
    ...JOB,
    lastOutput: { phase: 'plan', visit: 1, lines, exitCode: 3 },
  });
  const job = message.items[0]?.job;
  assert.equal(job?.lastLines, texts);
  assert.equal(job?.firstError, { line: 12, text: 'error: no such package' });
  assert.is(job?.exitCode, 3);
  assert.match(
    renderPlainText(message),
    'Exit code 3, first error in line 12 of the log\n> error: no such package',
  );
  assert.match(renderPushMessage(message, 'x').body, /\nerror: no such package$/);
});

test('what was settled meanwhile is marked, and people are not notified of it', () => {
  const fact = makeFact({ id: 'a', at: AT });
  const earlier = makeFact({ id: 'b', at: AT - 1 });
  const other = makeFact({ id: 'c', at: AT, reason: 'failed', kind: 'broken' });
  const message = compose([fact, earlier, other]);
  assert.equal(
    message.items.map(({ resolved }) => resolved),
    [false, true, true],
  );
  assert.equal(
    omitResolvedItems(message)?.items.map(({ id }) => id),
    ['a'],
  );
  assert.is(omitResolvedItems(compose([earlier])), null);
});

test('a job that is gone is settled; a budget warning and an account stay true', () => {
  const facts = [
    makeFact({ id: 'a' }),
    makeFact({ id: 'b', kind: 'budget', reason: 'warning', text: '80 % of the day is spent' }),
    makeFact({ id: 'c', kind: 'account', reason: 'billing', jobId: null, text: 'pool:x' }),
  ];
  assert.equal(
    compose(facts, null).items.map(({ resolved }) => resolved),
    [true, false, false],
  );
});

test('a message for people names ten items and counts the others', () => {
  const facts = Array.from({ length: 40 }, (_, n) => makeFact({ id: `j${n}`, at: AT }));
  const text = renderPlainText(compose(facts));
  assert.is(text.match(/Fix the cart/g)?.length, 10);
  assert.match(text, 'and 30 more: https://svc.example.com/dashboard/#/inbox');
});

test('the failures of a schedule are lines with their times, and a reason that repeats appears once', () => {
  const at = '2026-06-10T12:00:00.000Z';
  const item = makeItem({
    job: null,
    schedule: {
      name: 'nightly',
      repository: 'acme/shop',
      workflow: 'workflows/job.md',
      failures: [
        { time: at, jobId: 'j1', why: 'The tests are red.' },
        { time: at, jobId: null, why: 'The workflow is gone.' },
        { time: at, jobId: null, why: 'The workflow is gone.' },
      ],
    },
  });
  assert.equal(listDetailLines(item), [
    '2026-06-10 12:00 UTC j1: The tests are red.',
    '2026-06-10 12:00 UTC: The workflow is gone.',
    '2026-06-10 12:00 UTC: the same',
  ]);
});

test.run();
