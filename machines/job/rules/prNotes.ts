import type { PrState } from '../../../src/contract/schema/forge/pr.ts';
import type { WorkItem } from '../../../src/contract/schema/job/workItem.ts';
import { listBlockingItems, isGatePrompt, listWorkItemPrs } from './completionGate.ts';

/** A pull request of the job. `asked` false: the forge did not answer; last known state. */
export interface SeenPr {
  prId: string;
  workItem: string | null;
  state: PrState;
  asked: boolean;
}

type Item = Pick<WorkItem, 'id' | 'status' | 'prIds'>;

export interface Kickoff {
  /** Status of the phase, without a work item. */
  status: string;
  /** Number of the session within the visit. */
  session: number;
  prompt: string | null;
  items: readonly Item[];
  currentItem: string | null;
}

/** The coding phase is any with status `coding`; the first session of a visit enters it. */
const isCodingStart = ({ status, session }: Kickoff): boolean =>
  status === 'coding' && session === 1;

const selectCurrentItems = ({ items, currentItem }: Kickoff): readonly Item[] =>
  items.filter(({ id }) => id === currentItem);

/** The pull requests whose states the kickoff mentions; empty = the forge need not be asked. */
export function selectPrsToAsk<Pr extends Pick<SeenPr, 'prId' | 'workItem'>>(
  kickoff: Kickoff,
  prs: readonly Pr[],
): Pr[] {
  const coding = isCodingStart(kickoff) ? selectCurrentItems(kickoff) : [];
  const gate = isGatePrompt(kickoff.prompt) ? listBlockingItems(kickoff.items) : [];
  const wantedPrs = new Set([...coding, ...gate].flatMap((item) => listWorkItemPrs(item, prs)));
  return prs.filter((pr) => wantedPrs.has(pr));
}

const joinSeenPrIds = (prs: readonly SeenPr[]): string => prs.map(({ prId }) => prId).join(', ');

const describePrSource = (prs: readonly SeenPr[]): string => {
  const silent = prs.filter(({ asked }) => !asked);
  if (silent.length === 0) return 'The forge was asked just now.';
  const whose =
    silent.length === prs.length
      ? 'these states are'
      : `the states of ${joinSeenPrIds(silent)} are`;
  return `The forge did not answer: ${whose} the last known ones and may be out of date.`;
};

/**
 * The warning for a coding phase whose work item already has open pull requests; null = none. Only
 * the completion gate blocks.
 */
export function buildCodingPreflight(kickoff: Kickoff, prs: readonly SeenPr[]): string | null {
  const [item] = isCodingStart(kickoff) ? selectCurrentItems(kickoff) : [];
  if (!item) return null;
  const own = listWorkItemPrs(item, prs);
  const open = own.filter(({ state }) => state === 'open');
  if (open.length === 0) return null;
  const merged = own.filter(({ state }) => state === 'merged');
  return [
    `[coding-preflight] The current work item ${item.id} already has ${open.length === 1 ? 'an open pull request' : `${open.length} open pull requests`}: ${joinSeenPrIds(open)}.`,
    merged.length === 0 ? '' : ` Merged: ${joinSeenPrIds(merged)}.`,
    ' Continue on the branch of the open one and answer its reviews; open another one only for changes that do not belong there.',
    ` ${describePrSource(own)}`,
  ].join('');
}

/** What the forge says of a gate prompt's pull requests; null = no such prompt, or none named. */
export function describeGatePrs(kickoff: Kickoff, prs: readonly SeenPr[]): string | null {
  if (!isGatePrompt(kickoff.prompt)) return null;
  const lines = listBlockingItems(kickoff.items).flatMap((item) => {
    const own = listWorkItemPrs(item, prs);
    const inState = (state: PrState): string =>
      joinSeenPrIds(own.filter((pr) => pr.state === state)) || 'none';
    return own.length === 0
      ? []
      : [
          `- ${item.id}: open: ${inState('open')}; merged: ${inState('merged')}; closed without a merge: ${inState('closed')}`,
        ];
  });
  if (lines.length === 0) return null;
  return [
    'Pull requests of these items as they are now:',
    ...lines,
    describePrSource(selectPrsToAsk(kickoff, prs)),
  ].join('\n');
}
