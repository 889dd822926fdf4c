import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JournalRow } from '../../../../src/kernel/writer.ts';
import { PastQuestions } from '../../../../src/policy/guardrails/dryRuns/pastQuestions.ts';

const test = suite('guardrails: what journals tell');

const MINUTE_MS = 60_000;

const journal = () => {
  const past = new PastQuestions({
    context: {
      id: 'job-1',
      workflowPath: 'workflows/job.md',
      params: { repoSlug: 'acme/shop' },
      interactive: false,
      subRunOf: null,
    },
    phases: new Map([[1, 'coding']]),
  });
  let seq = 0;
  return (event: Record<string, unknown> & { type: string }, at = 0, note = false) => {
    seq += 1;
    const row: JournalRow = { actor: 'job-1', seq, at, event, path: [], effects: [], note };
    return past.take(row);
  };
};

const FENCE = { visit: 1, session: 1, at: 0 };
const write = (operation: string, args: object) => ({
  ...FENCE,
  type: 'tool.forge_write',
  forge: 'local',
  operation,
  key: 'k1',
  args,
});
const createPrWrittenEvent = (number: number, head: string) => ({
  type: 'forge.wrote',
  operation: 'create_pr',
  ok: true,
  pr: { repo: 'acme/shop', number, head, state: 'open' },
});

test('a call is asked about with its arguments, job and phase', () => {
  const take = journal();
  const [one] = take({ ...FENCE, type: 'tool.add_insight', category: 'pitfall', text: 'mind it' });
  assert.is(one?.subject.moment, 'tool.before');
  assert.is(one?.subject.tool, 'add_insight');
  assert.equal(one?.subject.args, { category: 'pitfall', text: 'mind it' });
  assert.is(one?.subject.phase, 'coding');
  assert.is(one?.subject.job.repository, 'acme/shop');
});

test('a write is a call and a write, without the place of the checkout', () => {
  const take = journal();
  const two = take(write('create_pr', { repo: 'acme/shop', head: 'work', checkoutDir: '/x' }));
  assert.equal(
    two.map(({ subject }) => `${subject.moment} ${subject.tool}`),
    ['tool.before local_create_pr', 'write.before create_pr'],
  );
  assert.equal(two[1]?.subject.args, { repo: 'acme/shop', head: 'work' });
  assert.is(two[1]?.isPush, true);
});

test('a merge is asked about as a merge, of a pull request of the job', () => {
  const take = journal();
  take(createPrWrittenEvent(7, 'work'));
  const merge = take(write('merge_pr', { repo: 'acme/shop', number: 7 }))[1];
  assert.is(merge?.subject.moment, 'merge.before');
  assert.is(merge?.subject.pr?.own, true);
});

test('a branch that is pushed again is known by its pull request', () => {
  const take = journal();
  take(createPrWrittenEvent(7, 'work'));
  const again = take(write('create_pr', { repo: 'acme/shop', head: 'work' }))[1];
  assert.is(again?.subject.pr?.number, 7);
});

test('open pull requests are counted as they were then', () => {
  const take = journal();
  take(createPrWrittenEvent(7, 'work'));
  take(createPrWrittenEvent(8, 'more'));
  take(createPrWrittenEvent(9, 'another'));
  take({ type: 'forge.event', event: { kind: 'merged', repo: 'acme/shop', number: 7 } });
  take({ type: 'forge.event', event: { kind: 'closed', repo: 'acme/shop', number: 8 } });
  const next = take(write('create_pr', { repo: 'acme/shop', head: 'third' }))[1];
  assert.is(next?.subject.done.openPrs, 1);
});

test('only comments of the hour before are counted, and none that was refused', () => {
  const take = journal();
  const wrote = { type: 'forge.wrote', operation: 'post_pr_comment', ok: true, pr: null };
  take(wrote, 0);
  take(wrote, 30 * MINUTE_MS);
  take({ ...wrote, ok: false }, 31 * MINUTE_MS);
  const next = take(write('post_pr_comment', { number: 7 }), 61 * MINUTE_MS)[1];
  assert.is(next?.subject.done.commentsInHour, 1);
});

test('the end of a phase is asked about where the session came to its own end', () => {
  const take = journal();
  const endEvent = { ...FENCE, type: 'session.ended', stopReason: 'end_turn' };
  assert.is(take(endEvent)[0]?.subject.moment, 'phase.end');
  assert.equal(take({ ...endEvent, stopReason: 'cancelled' }), []);
});

test('what the kernel notes is no question', () => {
  const take = journal();
  assert.equal(take({ ...FENCE, type: 'tool.add_insight', text: 'x' }, 0, true), []);
});

test.run();
