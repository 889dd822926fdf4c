import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Parked } from '../../src/contract/schema/job/job.ts';
import { linkPullRequests, listStatusSentences } from '../../ui/jobs/page/listStatusSentences.ts';

const test = suite('dashboard: the status of a job in sentences');

const parked = (kind: Parked['kind'], reason: string): Parked => ({
  kind,
  since: '2026-01-01T00:00:00.000Z',
  reason,
});
const of = (one: Parked | null, ...waits: string[]) =>
  listStatusSentences({ parked: one, needs: null, reason: null }, waits);

test('what a job waits for at a forge is said once, as it is now (UI-1)', () => {
  const reason = 'waits for an event on local:shop#4 or another of its pull requests';
  assert.equal(of(parked('event', reason), 'for a review or merge of shop#4'), [
    'Waits for a review or merge of shop#4.',
  ]);
});

test('two sentences that say the same are one', () => {
  const reason = 'the repository cannot be reached: svc tries again at 14:00';
  assert.equal(of(parked('outage', reason), 'until it answers', reason), [
    'The repository cannot be reached: svc tries again at 14:00.',
    'Waits until it answers.',
  ]);
});

test('a pause says how it continues', () => {
  assert.equal(of(parked('paused', 'paused by a developer')), ['Paused. Resume it to continue.']);
});

test('a complete job that changed nothing says what it lacks', () => {
  const ending = { text: '', openPrs: [], mergedPrs: 0, closedPrs: 0, unchanged: true as const };
  const job = { parked: null, needs: null, ending, reason: 'it opened no pull request' };
  assert.equal(listStatusSentences(job, []), ['No changes: it opened no pull request.']);
});

test('pull requests of the job are links, and the longer name wins', () => {
  const prs = [1, 12].map((number) => ({ prId: `local:shop#${number}`, repo: 'shop', number }));
  const parts = linkPullRequests('Waits for a review or merge of shop#12 or shop#1.', 'j', prs);
  assert.equal(
    parts.map(({ text, href }) => [text, href !== null]),
    [
      ['Waits for a review or merge of ', false],
      ['shop#12', true],
      [' or ', false],
      ['shop#1', true],
      ['.', false],
    ],
  );
  assert.equal(linkPullRequests('Nothing.', 'j', prs), [{ text: 'Nothing.', href: null }]);
});

test.run();
