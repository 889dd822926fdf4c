import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { initialTransition, transition } from 'xstate';
import { proposalMachine } from '../../../machines/proposal/proposal.ts';
import { proposalChart } from '../../../machines/proposal/proposalChart.ts';
import type { ProposalEvent } from '../../../machines/proposal/proposalContext.ts';
import { PROPOSAL_STATES } from '../../../src/base/agents/proposals.ts';

const test = suite('chart of a proposal');

const HASH = 'a'.repeat(64);
const AT = Date.UTC(2026, 10, 22, 12);
type Draft = ProposalEvent extends infer E
  ? E extends { at: number }
    ? Omit<E, 'at'>
    : never
  : never;

const sound: Draft = { type: 'proposal.checked', problem: null };
const approve = (hash = HASH): Draft => ({
  type: 'proposal.approve',
  hash,
  allowed: ['w1'],
  author: 'ana',
  by: 'token',
});
const reject: Draft = { type: 'proposal.reject', reason: 'no', author: 'ana', by: 'token' };
const apply: Draft = { type: 'proposal.apply', author: 'ana', by: 'token' };
const applied: Draft = { type: 'proposal.applied', link: null };
const conflicted: Draft = { type: 'proposal.conflicted', problem: 'it changed' };
const appliedByTeam: Draft = { type: 'proposal.appliedByTeam', author: 'ben' };
const supersede: Draft = { type: 'proposal.supersede', successor: 'b' };
const givenUp: Draft = { type: 'effect.givenUp', error: 'disk' };

/** The paths to each state. */
const TO: Record<(typeof PROPOSAL_STATES)[number], Draft[]> = {
  draft: [],
  open: [sound],
  approved: [sound, approve()],
  applying: [sound, approve(), apply],
  conflicted: [sound, approve(), apply, conflicted],
  applied: [sound, approve(), apply, applied],
  rejected: [sound, reject],
  superseded: [sound, supersede],
};

const steps = (events: readonly Draft[], jobId: string | null = 'job') => {
  const input = { proposalId: 'p', jobId, hash: HASH, createdAt: AT };
  let [snapshot, actions] = initialTransition(proposalMachine(), input);
  for (const event of events)
    [snapshot, actions] = transition(proposalMachine(), snapshot, {
      ...event,
      at: AT,
    } as ProposalEvent);
  return { state: snapshot.value, actions };
};
const after = (state: keyof typeof TO, event: Draft) => steps([...TO[state], event]).state;
const findRowPatch = (events: readonly Draft[]) =>
  (
    steps(events).actions.find(({ type }) => type === 'row.patch')?.params as {
      set: Record<string, unknown>;
    }
  )?.set;

for (const state of PROPOSAL_STATES)
  test(`it comes to ${state}, and its row with it`, () => {
    assert.is(steps(TO[state]).state, state);
    if (state !== 'draft') assert.is(findRowPatch(TO[state])?.state, state);
  });

test('nothing is applied that a person has not approved (INT-8)', () => {
  for (const state of ['draft', 'open', 'rejected', 'superseded', 'applied'] as const)
    assert.is(after(state, apply), state);
});

test('an approval of another content changes nothing', () => {
  assert.is(after('open', approve('b'.repeat(64))), 'open');
});

test('one that is not sound stays a draft, cannot be approved, and says why', () => {
  const unsound: Draft = { type: 'proposal.checked', problem: 'an error' };
  assert.is(after('draft', unsound), 'draft');
  assert.is(findRowPatch([unsound])?.problem, 'an error');
  assert.is(steps([unsound, approve()]).state, 'draft');
});

test('a later proposal replaces one that no person has decided about', () => {
  for (const state of ['draft', 'open', 'conflicted'] as const)
    assert.is(after(state, supersede), 'superseded');
});

test('a later proposal does not move one that a person has approved', () => {
  for (const state of ['approved', 'applying'] as const) assert.is(after(state, supersede), state);
});

test('a conflict can be tried again, and rejected', () => {
  assert.is(after('conflicted', apply), 'applying');
  assert.is(after('conflicted', reject), 'rejected');
});

test('what could not be written is a conflict that says why', () => {
  assert.is(after('applying', givenUp), 'conflicted');
  assert.match(String(findRowPatch([...TO.applying, givenUp])?.problem), /disk/);
});

test('what the team has applied at its control plane is over here too (CLD-3)', () => {
  for (const state of ['open', 'approved', 'conflicted'] as const)
    assert.is(after(state, appliedByTeam), 'applied');
  assert.is(findRowPatch([...TO.open, appliedByTeam])?.state, 'applied');
  assert.is(after('draft', appliedByTeam), 'draft');
});

test('while it is applied it cannot be rejected', () => {
  assert.is(after('applying', reject), 'applying');
});

test('what is over stays over', () => {
  for (const state of ['applied', 'rejected', 'superseded'] as const)
    for (const event of [sound, approve(), reject, apply, applied, conflicted, supersede, givenUp])
      assert.is(after(state, event), state);
});

test('the job that has proposed it reads of every decision in its log', () => {
  const tell = (events: Draft[]) => steps(events).actions.some(({ type }) => type === 'frame.add');
  for (const state of [
    'open',
    'approved',
    'applied',
    'conflicted',
    'rejected',
    'superseded',
  ] as const)
    assert.ok(tell(TO[state]), state);
});

test('one of a person has no job to tell', () => {
  assert.not(steps(TO.open, null).actions.some(({ type }) => type === 'frame.add'));
});

test('every event has a sender, and every guard a note', () => {
  const events = new Set(
    Object.values(proposalMachine().states).flatMap(({ ownEvents }) => ownEvents),
  );
  for (const event of events) assert.type(proposalChart.senders[event], 'string', event);
  assert.equal(
    Object.keys(proposalChart.guards).toSorted(),
    Object.keys(proposalMachine().implementations.guards).toSorted(),
  );
});

test.run();
