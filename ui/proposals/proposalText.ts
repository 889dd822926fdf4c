import type { ProposalState, ProposalWarningKind } from '../../src/base/agents/proposals.ts';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';

export const STATES: Readonly<Record<ProposalState, { says: string; tone: string }>> = {
  draft: { says: 'being checked', tone: '' },
  open: { says: 'needs you', tone: 'needs-you' },
  approved: { says: 'approved', tone: 'good' },
  applying: { says: 'being applied', tone: '' },
  conflicted: { says: 'conflict', tone: 'bad' },
  applied: { says: 'applied', tone: 'good' },
  rejected: { says: 'rejected', tone: '' },
  superseded: { says: 'replaced', tone: '' },
};

export const WARNINGS: Readonly<Record<ProposalWarningKind, string>> = {
  runs: 'runs something',
  widens: 'allows more',
  weakens: 'checks less',
  hides: 'not what it looks like',
  large: 'long',
};

export const GROUPS: readonly (readonly [says: string, states: readonly ProposalState[]])[] = [
  ['Waiting', ['open', 'conflicted', 'approved', 'applying', 'draft']],
  ['Over', ['applied', 'rejected', 'superseded']],
];

export const describeProposalState = ({
  state,
  problem,
}: Pick<ProposalSummary, 'state' | 'problem'>): string =>
  state === 'draft' && problem !== null ? 'has errors' : STATES[state].says;

export const describeProposalPlace = ({
  layer,
  repo,
}: Pick<ProposalSummary, 'layer' | 'repo'>): string =>
  layer === 'tenant' ? 'for the whole team' : `for the repository ${repo ?? ''}`;

export const readProposalTitle = ({ description }: Pick<ProposalSummary, 'description'>): string =>
  description.trim().split('\n', 1)[0] ?? '';
