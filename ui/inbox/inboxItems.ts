import { findNamedRule } from '../../src/base/agents/guardrails.ts';
import type { Ask, JobSummary, NeedsGroup, ParkKind } from '../../src/contract/schema/job/job.ts';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';
import { formatJobTitle } from '../jobs/jobText.ts';
import { splitReason } from '../jobs/plainText.ts';
import { readProposalTitle } from '../proposals/proposalText.ts';
import type { WaitingItem } from '../shell/notices/waitingNotices.ts';
import { toRouteHash, toInboxHash, toJobHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';

const ASK_NAMES: Readonly<Record<Ask, string>> = {
  approval: 'Approval',
  input: 'Question',
  external: 'Outside svc',
  halted: 'Campaign halted',
  budget: 'Budget spent',
  review: 'Review',
  'open-pr': 'Pull request left open',
  failed: 'Failed',
  escalated: 'Escalated',
};

export const GROUPS = ['decide', 'review', 'broken', 'proposals'] as const satisfies readonly (
  | NeedsGroup
  | 'proposals'
)[];
export type InboxGroup = (typeof GROUPS)[number];

export const GROUP_NAMES: Readonly<Record<InboxGroup, string>> = {
  decide: 'Decide',
  review: 'Review',
  broken: 'Broken',
  proposals: 'Proposals',
};

interface Item extends WaitingItem {
  /** Names it in the list and in the address: the id of the job, or `proposal:` and its id. */
  id: string;
  group: InboxGroup;
  /** Since when it waits. */
  since: string;
  kind: string;
}
export interface JobItem extends Item {
  job: JobSummary;
  ask: Ask;
  proposal: null;
}
export interface ProposalItem extends Item {
  job: null;
  proposal: ProposalSummary;
}
export type InboxItem = JobItem | ProposalItem;

const PROPOSAL_PREFIX = 'proposal:';

/** The proposal that an address of the inbox names; null = it names a job. */
export const parseProposalItemId = (id: string): string | null =>
  id.startsWith(PROPOSAL_PREFIX) ? id.slice(PROPOSAL_PREFIX.length) : null;

/** What is called by why the job waits, where an answer is asked for. */
const INPUT_NAMES: Readonly<Partial<Record<ParkKind, string>>> = {
  flagged: 'Flagged',
  outage: 'Repair',
  subRuns: 'Repair',
};

/** What a person is asked for, in the words of the card that asks. */
export function describeAsk(ask: Ask, parked: JobSummary['parked']): string {
  if (ask !== 'input' || parked === null) return ASK_NAMES[ask];
  if (parked.kind === 'developer' && findNamedRule(parked.reason) !== null) return 'Guardrail';
  return INPUT_NAMES[parked.kind] ?? ASK_NAMES[ask];
}

/** What a job waits for a person for; null = the runner says that it needs none. */
export function toJobItem(job: JobSummary): JobItem | null {
  if (job.needs === null) return null;
  const { group, ask, since } = job.needs;
  const kind = describeAsk(ask, job.parked);
  return {
    id: job.id,
    group,
    ask,
    since,
    kind,
    key: `${job.id} ${ask} ${since}`,
    title: `${kind}: ${formatJobTitle(job)}`,
    text: splitReason(job.parked?.reason ?? job.reason ?? '').short,
    hash: ask === 'review' ? toInboxHash(job.id) : toJobHash(job.id),
    job,
    proposal: null,
  };
}

/** What waits of a proposal: a decision, or to be applied. */
const PROPOSAL_KINDS: Readonly<Partial<Record<ProposalSummary['state'], string>>> = {
  approved: 'Apply',
  conflicted: 'Conflict',
};

export function toProposalItem(proposal: ProposalSummary): ProposalItem {
  const { id, state, since } = proposal;
  return {
    id: `${PROPOSAL_PREFIX}${id}`,
    group: 'proposals',
    since,
    kind: PROPOSAL_KINDS[state] ?? 'Proposal',
    key: `${PROPOSAL_PREFIX}${id} ${state} ${since}`,
    title: `Proposal: ${revealTurningCharacters(readProposalTitle(proposal))}`,
    text: proposal.paths.map(revealTurningCharacters).join(', '),
    hash: toRouteHash(['proposals', id]),
    job: null,
    proposal,
  };
}

export const formatItemTitle = (item: InboxItem): string =>
  item.job === null
    ? revealTurningCharacters(readProposalTitle(item.proposal))
    : formatJobTitle(item.job);

/** In the order of the inbox: by group, the longest wait first in each. */
export const sortInboxItems = (items: readonly InboxItem[]): InboxItem[] =>
  [...items].sort(
    (a, b) =>
      GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
      a.since.localeCompare(b.since) ||
      a.key.localeCompare(b.key),
  );
