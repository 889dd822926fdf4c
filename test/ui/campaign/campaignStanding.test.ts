import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  listBrokenSubRuns,
  sortFailuresFirst,
  describeCampaignStanding,
} from '../../../ui/campaign/campaignStanding.ts';
import { canUndoSkip } from '../../../ui/campaign/undoSkip.ts';

const test = suite('ui campaign: outcome');

const PARTS = [
  { name: 'a', status: 'complete' as const },
  { name: 'b', status: 'pending' as const },
  { name: 'c', status: 'escalated' as const },
  { name: 'd', status: 'failed' as const },
];

test('a complete campaign with an escalated part is complete in part, not green', () => {
  const subRuns = PARTS.slice(0, 1).concat(PARTS.slice(2, 3));
  const outcome = { tone: 'partial' as const, status: 'Complete, 1 sub-run escalated' };
  const standing = describeCampaignStanding({ state: 'settled', subRuns }, outcome);
  assert.is(standing.title, 'Complete, 1 sub-run escalated');
  assert.is(standing.tone, 'partial');
});

test('until the campaign has ended, what did not succeed is said while the results are brought together', () => {
  const standing = describeCampaignStanding({ state: 'settled', subRuns: PARTS.slice(2) }, null);
  assert.is(standing.title, 'All sub-runs have ended, 1 sub-run failed, 1 sub-run escalated');
  assert.is(standing.tone, 'partial');
});

test('a halted campaign says what a person can do', () => {
  assert.is(
    describeCampaignStanding({ state: 'halted', subRuns: PARTS }, null).text,
    '1 sub-run failed, 1 sub-run escalated. Nothing new starts until you rerun, skip or accept them.',
  );
});

test('what needs a hand is listed first, what is done last', () => {
  assert.equal(
    sortFailuresFirst(PARTS).map(({ name }) => name),
    ['d', 'c', 'b', 'a'],
  );
  assert.equal(
    listBrokenSubRuns(PARTS).map(({ name }) => name),
    ['c', 'd'],
  );
});

test('a skip that starts or stops a job, or ends the campaign, is not offered to be undone', () => {
  const nothing = { state: 'halted' as const, starts: [], stops: [] };
  assert.is(canUndoSkip(nothing), true);
  assert.is(canUndoSkip({ ...nothing, starts: ['b'] }), false);
  assert.is(canUndoSkip({ ...nothing, stops: ['b'] }), false);
  assert.is(canUndoSkip({ ...nothing, state: 'settled' }), false);
});

test.run();
