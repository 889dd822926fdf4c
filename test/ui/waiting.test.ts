import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobNeeds, JobSummary } from '../../src/contract/schema/job/job.ts';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';
import { toJobItem } from '../../ui/inbox/inboxItems.ts';
import { createInboxStore } from '../../ui/inbox/inboxStore.ts';
import { findEarlierPlan } from '../../ui/inbox/PlanView.tsx';
import { readInbox, readProposals } from '../../ui/inbox/readInbox.ts';
import {
  pickItemAfterDone,
  groupInboxRows,
  findItemBeside,
  NO_ROWS,
  buildInboxRows,
} from '../../ui/inbox/buildInboxRows.ts';
import { findNewlyWaiting, formatPageTitle } from '../../ui/shell/notices/waitingNotices.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: what needs a person');

const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
const needs = (ask: JobNeeds['ask'], minute: number): JobNeeds => ({
  group:
    ask === 'review' ? 'review' : ask === 'failed' || ask === 'escalated' ? 'broken' : 'decide',
  ask,
  since: at(minute),
});
const job = (id: string, ask: JobNeeds['ask'], minute: number) =>
  summary(id, { needs: needs(ask, minute) });

test('an item is called by what the card of it asks, not a question where it is none', () => {
  const guardrail = { ...parked('developer'), reason: 'guardrail large-diff: 60,000 lines' };
  const waits = [
    parked('developer'),
    guardrail,
    parked('flagged'),
    { ...parked('outage'), needsPerson: true as const },
    { ...parked('subRuns'), needsPerson: true as const },
    { ...parked('event'), needsPerson: true as const },
  ];
  const kinds = waits.map(
    (wait) => toJobItem(summary('a', { needs: needs('input', 0), parked: wait }))?.kind,
  );
  assert.equal(kinds, ['Question', 'Guardrail', 'Flagged', 'Repair', 'Repair', 'Question']);
});

function openInbox(jobs: readonly JobSummary[]) {
  const inbox = createInboxStore();
  inbox.trigger.listed({ jobs, total: jobs.length });
  return {
    inbox,
    items: () => inbox.getSnapshot().context.items,
    ids: () => inbox.getSnapshot().context.items.map(({ id }) => id),
    total: () => inbox.getSnapshot().context.total,
  };
}

test('the inbox lists what the runner says needs a person: decisions first, the longest wait first (UI-1)', () => {
  const { ids } = openInbox([
    summary('works'),
    job('failed', 'failed', 1),
    job('escalated', 'escalated', 0),
    job('halted', 'halted', 3),
    job('question', 'input', 2),
    job('plan', 'approval', 4),
  ]);
  assert.equal(ids(), ['question', 'halted', 'plan', 'escalated', 'failed']);
});

test('a notification about a failed job names its error (UI-1)', () => {
  const failed = {
    ...job('failed', 'failed', 1),
    reason: 'npm ended with exit code 1.\nE: no react',
  };
  const { items } = openInbox([failed]);
  assert.is(items()[0]?.text, 'Npm ended with exit code 1.');
});

const proposal = (id: string, minute: number, state: ProposalSummary['state'] = 'open') => ({
  id,
  kind: 'memory' as const,
  layer: 'tenant' as const,
  repo: null,
  description: `Remember ${id}`,
  state,
  jobId: null,
  phase: null,
  at: at(minute),
  since: at(minute),
  hash: '0'.repeat(64),
  paths: ['memory/shop.md'],
  warnings: 0,
  problem: null,
  link: null,
  supersededBy: null,
});

test('reviews follow decisions, proposals come last, and all are counted together (UI-1)', async () => {
  const { inbox, ids, total } = openInbox([
    job('failed', 'failed', 0),
    job('pr', 'review', 1),
    job('plan', 'approval', 4),
  ]);
  const proposals = async () => ({ proposals: [proposal('p2', 2), proposal('p1', 1)], total: 2 });
  await readProposals({ proposals }, inbox);
  assert.equal(ids(), ['plan', 'pr', 'failed', 'proposal:p1', 'proposal:p2']);
  assert.is(total(), 5);
  inbox.trigger.changed({ jobs: [{ ...job('pr', 'review', 1), needs: null }] });
  assert.is(total(), 4);
  inbox.trigger.listed({ jobs: [job('plan', 'approval', 4)], total: 1 });
  assert.equal(ids(), ['plan', 'proposal:p1', 'proposal:p2']);
  assert.is(total(), 3);
  inbox.trigger.proposed({ proposals: [proposal('p2', 2)], total: 1 });
  assert.is(total(), 2);
});

test('proposals that cannot be read leave those that are known, and keep no one waiting', async () => {
  const { inbox, ids } = openInbox([job('a', 'approval', 1)]);
  assert.is(inbox.getSnapshot().context.loaded, false);
  inbox.trigger.proposed({ proposals: [proposal('p1', 1)], total: 1 });
  assert.is(inbox.getSnapshot().context.loaded, true);
  await readProposals({ proposals: () => Promise.reject(new Error('gone')) }, inbox);
  assert.equal(ids(), ['a', 'proposal:p1']);
});

test('a job whose row cannot be read is left out of list and count, and takes no other with it', () => {
  const { inbox, ids, total } = openInbox([]);
  const unreadable = summary('odd', { needs: null });
  inbox.trigger.listed({ jobs: [unreadable, job('a', 'approval', 1)], total: 2 });
  assert.equal(ids(), ['a']);
  assert.is(total(), 1);
});

test('a group holds 430 jobs and the parts of a campaign', () => {
  const many = Array.from({ length: 430 }, (_, n) =>
    summary(`pr-${n}`, { needs: needs('review', n % 9), parentJobId: n % 2 ? 'campaign' : null }),
  );
  const { items } = openInbox(many);
  const groups = groupInboxRows(buildInboxRows(NO_ROWS, items(), false));
  assert.equal(
    groups.map(({ group, rows }) => [group, rows.length]),
    [['review', 430]],
  );
});

test('a change of other jobs changes nothing, and each item stays the same object', () => {
  const { inbox, items, total } = openInbox([job('a', 'approval', 1), job('b', 'input', 2)]);
  const before = items();
  inbox.trigger.changed({ jobs: [summary('x'), summary('y')] });
  assert.ok(before === items());
  inbox.trigger.changed({ jobs: [job('c', 'failed', 3)] });
  assert.ok(before[0] === items()[0]);
  assert.ok(before[1] === items()[1]);
  assert.is(total(), 3);
  inbox.trigger.listed({ jobs: [job('a', 'approval', 1)], total: 1 });
  assert.ok(before[0] === items()[0]);
});

test('a job that was answered while the list was read is not brought back by it', () => {
  const { inbox, ids } = openInbox([job('a', 'approval', 1), job('b', 'failed', 2)]);
  inbox.trigger.asked();
  inbox.trigger.changed({ jobs: [{ ...job('a', 'approval', 1), needs: null }] });
  inbox.trigger.listed({ jobs: [job('a', 'approval', 1), job('b', 'failed', 2)], total: 2 });
  assert.equal(ids(), ['b']);
});

test('a job that came to need a person while the list was read is not lost by it', () => {
  const { inbox, ids, total } = openInbox([job('a', 'approval', 1)]);
  inbox.trigger.asked();
  inbox.trigger.changed({ jobs: [job('c', 'input', 3)] });
  inbox.trigger.listed({ jobs: [job('a', 'approval', 1)], total: 1 });
  assert.equal(ids(), ['a', 'c']);
  assert.is(total(), 2);
});

test('what has changed before a list was asked for is not applied to it', () => {
  const { inbox, ids } = openInbox([job('a', 'approval', 1)]);
  inbox.trigger.changed({ jobs: [{ ...job('a', 'approval', 1), needs: null }] });
  inbox.trigger.asked();
  inbox.trigger.listed({ jobs: [job('a', 'approval', 1)], total: 1 });
  assert.equal(ids(), ['a']);
});

test('a job that was answered or dismissed leaves, and a late older version does not bring it back', () => {
  const { inbox, ids, total } = openInbox([job('a', 'approval', 1), job('b', 'failed', 2)]);
  inbox.trigger.changed({ jobs: [{ ...job('b', 'failed', 2), needs: null }] });
  assert.equal(ids(), ['a']);
  const newer = { ...job('a', 'approval', 1), updatedAt: at(9) };
  inbox.trigger.changed({ jobs: [newer] });
  inbox.trigger.changed({ jobs: [{ ...summary('a'), updatedAt: at(8) }] });
  assert.equal(ids(), ['a']);
  assert.is(total(), 1);
});

test('very many are counted in full, and those that wait longest are listed', async () => {
  const inbox = createInboxStore();
  const queries: unknown[] = [];
  const jobs = async (query?: { offset?: number; limit?: number }) => {
    queries.push(query);
    const { offset = 0, limit = 0 } = query ?? {};
    return {
      jobs: Array.from({ length: limit }, (_, n) => job(`j${offset + n}`, 'failed', 1)),
      total: 3_100,
    };
  };
  await readInbox({ jobs }, inbox);
  const { items, total } = inbox.getSnapshot().context;
  assert.is(items.length, 2_000);
  assert.is(total, 3_100);
  assert.equal(queries[0], { needs: 'me', sort: 'since', limit: 500, offset: 0 });
});

test('a list that cannot be read says why, and keeps what was known', async () => {
  const { inbox, ids } = openInbox([job('a', 'approval', 1)]);
  await readInbox({ jobs: () => Promise.reject(new Error('gone')) }, inbox);
  assert.equal(ids(), ['a']);
  assert.match(String(inbox.getSnapshot().context.problem), /gone/);
});

test('while the pointer is over the list no row moves: one that is gone keeps its place, a new one waits', () => {
  const before = openInbox([job('a', 'approval', 1), job('b', 'input', 2), job('c', 'failed', 3)]);
  const rows = buildInboxRows(NO_ROWS, before.items(), true);
  before.inbox.trigger.changed({ jobs: [summary('a'), job('d', 'halted', 0)] });
  const still = buildInboxRows(rows, before.items(), true);
  assert.equal(
    still.rows.map(({ item, gone }) => [item.id, gone]),
    [
      ['a', true],
      ['b', false],
      ['c', false],
    ],
  );
  assert.is(still.held, 1);
  const moved = buildInboxRows(still, before.items(), false);
  assert.equal(
    moved.rows.map(({ item }) => item.id),
    ['d', 'b', 'c'],
  );
  assert.is(moved.held, 0);
  assert.equal(
    groupInboxRows(moved).map(({ group, rows: some }) => [group, some.length]),
    [
      ['decide', 2],
      ['broken', 1],
    ],
  );
});

test('j and k stop at the ends; after an answer the next one opens, after the last the one before', () => {
  const rows = buildInboxRows(
    NO_ROWS,
    openInbox([job('a', 'approval', 1), job('b', 'input', 2), job('c', 'failed', 3)]).items(),
    false,
  );
  assert.is(findItemBeside(rows, null, 1)?.id ?? null, 'a');
  assert.is(findItemBeside(rows, 'a', 1)?.id ?? null, 'b');
  assert.is(findItemBeside(rows, 'a', 2)?.id ?? null, 'c');
  assert.is(findItemBeside(rows, 'a', -1)?.id ?? null, null);
  assert.is(findItemBeside(rows, 'c', 1)?.id ?? null, null);
  assert.is(pickItemAfterDone(rows, 'b'), 'c');
  assert.is(pickItemAfterDone(rows, 'c'), 'b');
  assert.is(pickItemAfterDone(buildInboxRows(NO_ROWS, [], false), 'c'), null);
});

test('the plan before is the last one of the same phase and kind', () => {
  const plan = (id: string, minute: number, more = {}) => ({
    id,
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 1,
    sha256: id,
    phase: 'planning',
    visit: 1,
    at: at(minute),
    ...more,
  });
  const all = [
    plan('first', 1),
    plan('second', 2),
    plan('other', 3, { phase: 'coding' }),
    plan('report', 3, { kind: 'report-md' }),
    plan('now', 4),
  ];
  assert.is(findEarlierPlan(all, 'now')?.id, 'second');
  assert.is(findEarlierPlan(all, 'first'), undefined);
  assert.is(findEarlierPlan(all, null), undefined);
});

test('only new items notify, and none that existed when the page was opened', () => {
  const [one] = openInbox([job('a', 'approval', 1)]).items();
  assert.ok(one);
  assert.equal(findNewlyWaiting(null, [one]), []);
  assert.equal(findNewlyWaiting(new Set(), [one]), [one]);
  assert.equal(findNewlyWaiting(new Set([one.key]), [one]), []);
});

test('the title of the window counts what waits', () => {
  assert.equal(formatPageTitle(0, 'Jobs'), 'Jobs · svc');
  assert.equal(formatPageTitle(34, 'Needs you'), '(34) Needs you · svc');
});

test.run();
