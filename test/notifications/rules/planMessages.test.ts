import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Tables } from '../../../src/contract/records/tables.ts';
import type { NotificationRule } from '../../../src/contract/schema/runner/notificationSettings.ts';
import type { Fact, FactSubject } from '../../../src/notifications/rules/fact.ts';
import {
  MOST_FACTS_IN_MESSAGE,
  parseFacts,
  planMessages,
} from '../../../src/notifications/rules/planMessages.ts';
import { makeFact } from '../makeFact.ts';

type MessageRow = Tables['notification_messages'];

const test = suite('notifications: which facts go where');

const NOON = Date.parse('2026-06-10T12:00:00Z');
const SUBJECT: FactSubject = {
  repository: 'acme/shop',
  workflow: 'workflows/job.md',
  people: ['ana'],
};

const makeRule = (more: Partial<NotificationRule> = {}): NotificationRule => ({
  channel: 'chat',
  kinds: ['needs-you', 'broken'],
  repositories: [],
  workflows: [],
  people: [],
  batchSeconds: 30,
  ...more,
});

/** The messages that are written for these facts. */
function plan(
  facts: readonly Fact[],
  rules: readonly NotificationRule[],
  { open = [], now = NOON, subject = SUBJECT as FactSubject | null, enabled = true } = {} as {
    open?: MessageRow[];
    now?: number;
    subject?: FactSubject | null;
    enabled?: boolean;
  },
): MessageRow[] {
  let n = 0;
  return planMessages({
    facts: facts.map((fact) => ({ fact, subject })),
    rules,
    channels: { chat: { enabled }, phone: { enabled } },
    open,
    now,
    nextId: () => `id${++n}`,
  }).flatMap((change) =>
    change.op === 'put' && change.table === 'notification_messages'
      ? [change.row as MessageRow]
      : [],
  );
}

const listFactIds = ({ facts }: MessageRow): string[] => parseFacts(facts).map(({ id }) => id);
const makeApprovals = (count: number): Fact[] =>
  Array.from({ length: count }, (_, n) => makeFact({ id: `j${n}/approval/0`, jobId: `j${n}` }));

test('a rule for people gets jobs that one of them created or reviews, and nothing else', () => {
  const counts = [['ana'], ['ben', 'an*'], ['ben']].map(
    (people) => plan(makeApprovals(1), [makeRule({ people })]).length,
  );
  assert.equal(counts, [1, 1, 0]);
  assert.equal(plan(makeApprovals(1), [makeRule({ people: ['ana'] })], { subject: null }), []);
});

test('forty approvals are one message, due when the batch is over', () => {
  const [message, ...others] = plan(makeApprovals(40), [makeRule()]);
  assert.is(others.length, 0);
  assert.is(message?.due_at, NOON + 30_000);
  assert.is(message && listFactIds(message).length, 40);
});

test('a fact joins the message that still waits, which stays as due as it was', () => {
  const [first] = plan([makeFact({ id: 'a' })], [makeRule()]);
  assert.ok(first);
  const [joined] = plan([makeFact({ id: 'b' })], [makeRule()], {
    open: [first],
    now: NOON + 10_000,
  });
  assert.equal(joined && [joined.id, joined.due_at, listFactIds(joined)], [
    first.id,
    first.due_at,
    ['a', 'b'],
  ]);
});

test('a message that was tried does not change any more', () => {
  const [first] = plan([makeFact({ id: 'a' })], [makeRule()]);
  assert.ok(first);
  const open = [{ ...first, id: 'tried', attempts: 1 }];
  const [other] = plan([makeFact({ id: 'b' })], [makeRule()], { open });
  assert.is.not(other?.id, 'tried');
});

test('a message has a largest size', () => {
  const messages = plan(makeApprovals(MOST_FACTS_IN_MESSAGE + 1), [makeRule()]);
  assert.equal(
    messages.map((message) => listFactIds(message).length),
    [MOST_FACTS_IN_MESSAGE, 1],
  );
});

test('a channel gets a fact once, by the first rule that wants it', () => {
  const rules = [makeRule({ batchSeconds: 0 }), makeRule(), makeRule({ channel: 'phone' })];
  assert.equal(
    plan([makeFact()], rules).map(({ channel, due_at }) => [channel, due_at]),
    [
      ['chat', NOON],
      ['phone', NOON + 30_000],
    ],
  );
});

test('quiet hours hold a message until their end', () => {
  const quietHours = { from: '11:00', to: '13:00', zone: 'UTC' };
  const [message] = plan([makeFact()], [makeRule({ quietHours })]);
  assert.is(message?.due_at, Date.parse('2026-06-10T13:00:00Z'));
});

test('a rule without quiet hours lets an urgent fact through, and the waiting message with it', () => {
  const quietHours = { from: '11:00', to: '13:00', zone: 'UTC' };
  const rules = [makeRule({ kinds: ['broken'] }), makeRule({ quietHours })];
  const [message] = plan([makeFact({ id: 'a' }), makeFact({ id: 'b', kind: 'broken' })], rules);
  assert.is(message?.due_at, NOON + 30_000);
});

test('a rule chooses by kind, repository and workflow', () => {
  const isSent = (rule: Partial<NotificationRule>, subject: FactSubject | null = SUBJECT) =>
    plan([makeFact()], [makeRule(rule)], { subject }).length === 1;
  assert.is(isSent({ kinds: ['report'] }), false);
  assert.is(isSent({ repositories: ['acme/*'] }), true);
  assert.is(isSent({ repositories: ['acme/sho'] }), false);
  assert.is(isSent({ repositories: ['acme.shop'] }), false);
  assert.is(isSent({ workflows: ['*/job.md', 'other.md'] }), true);
  assert.is(isSent({ workflows: ['job.md'] }), false);
  assert.is(isSent({ repositories: ['*'] }, null), false);
  assert.is(isSent({}, null), true);
});

test('nothing is written for a disabled channel', () => {
  assert.equal(plan([makeFact()], [makeRule()], { enabled: false }), []);
});

test('every fact is removed, whether or not a rule wants it', () => {
  const changes = planMessages({
    facts: [{ fact: makeFact(), subject: null }],
    rules: [],
    channels: {},
    open: [],
    now: NOON,
    nextId: () => 'id',
  });
  assert.equal(changes, [
    { op: 'drop', table: 'notification_facts', key: { id: 'j1/approval/0' } },
  ]);
});

test.run();
