import type { ActorState, DurableChart } from '../../src/kernel/chart.ts';
import { proposalMachine } from './proposal.ts';
import type { ProposalEvent } from './proposalContext.ts';

/** Raise it with every change that older snapshots do not survive unmigrated. */
const PROPOSAL_CHART_VERSION = 1;

const person = 'a developer';
const runner = 'the runner';
const SENDERS: Readonly<Record<ProposalEvent['type'], string>> = {
  'proposal.checked': runner,
  'proposal.approve': person,
  'proposal.reject': person,
  'proposal.apply': person,
  'proposal.applied': runner,
  'proposal.conflicted': runner,
  'proposal.appliedByTeam': 'the control plane',
  'proposal.supersede': 'an agent',
  'effect.givenUp': 'the kernel',
};

export const toProposalActorId = (proposalId: string): string => `proposal.${proposalId}`;

/** States that nothing leaves. */
const ENDS = new Set(['applied', 'rejected', 'superseded']);
const LIVE = new Set(['draft', 'applying']);

const toProposalActivity = ({ value }: ActorState): 'ended' | 'live' | 'parked' => {
  const state = String(value);
  return ENDS.has(state) ? 'ended' : LIVE.has(state) ? 'live' : 'parked';
};

export const proposalChart: DurableChart = {
  id: 'proposal',
  version: PROPOSAL_CHART_VERSION,
  about:
    'One change of workflows, agents, skills or memory that an agent proposes: it is checked, a person approves exactly what they saw, and it is applied whole or not at all.',
  versions: { 1: 'proposals to the folder of the team and to repositories' },
  get machine() {
    return proposalMachine();
  },
  senders: SENDERS,
  guards: {
    isSound: { readsEvent: true, says: 'neither the linter nor the simulation found an error' },
    isWhatWasShown: {
      readsEvent: true,
      says: 'the approval is for exactly the content of this proposal',
    },
    isApproved: { readsEvent: false, says: 'a person has approved exactly this content' },
  },
  index: (state) => ({
    label: String(state.value),
    kind: 'proposal',
    // No parent: the proposal outlives the job whose agent made it.
    parent: null,
    slot: false,
    waitingSince: null,
    activity: toProposalActivity(state),
  }),
  frames: () => [],
  createGivenUpEvent: ({ error }) => ({ type: 'effect.givenUp', error }),
  migrations: {},
};
