import { formatCount } from '../../src/base/text/formatCount.ts';
import type { Campaign, SubRunView } from '../../src/contract/schema/job/campaign.ts';
import type { SubRunStatus } from '../../src/contract/schema/job/subRun.ts';
import type { Tone } from '../jobs/jobText.ts';

type Statuses = readonly Pick<SubRunView, 'name' | 'status'>[];

const BROKEN = new Set<SubRunStatus>(['failed', 'escalated']);

/** Sub-runs that have failed or escalated, in the order of their registration. */
export const listBrokenSubRuns = <Of extends Pick<SubRunView, 'status'>>(
  subRuns: readonly Of[],
): Of[] => subRuns.filter(({ status }) => BROKEN.has(status));

const isSubRunOver = ({ status }: Pick<SubRunView, 'status'>): boolean =>
  status === 'complete' || status === 'skipped' || BROKEN.has(status);

/** `1 sub-run failed, 2 sub-runs escalated`; empty where none did. */
function describeBrokenSubRuns(subRuns: Statuses): string {
  return (['failed', 'escalated'] as const)
    .map((status) => ({ status, many: subRuns.filter((one) => one.status === status).length }))
    .filter(({ many }) => many > 0)
    .map(({ status, many }) => `${formatCount(many, 'sub-run')} ${status}`)
    .join(', ');
}

export interface CampaignStanding {
  tone: Tone;
  title: string;
  text: string;
}

/** The campaign's state in words. `ended`: how its parent ended, null while it has not. */
export function describeCampaignStanding(
  { state, subRuns }: { state: Campaign['state']; subRuns: Statuses },
  ending: { tone: Tone; status: string } | null,
): CampaignStanding {
  const over = subRuns.filter(isSubRunOver).length;
  const progress = `${over} of ${formatCount(subRuns.length, 'sub-run')} ${over === 1 ? 'has' : 'have'} ended.`;
  const brokenText = describeBrokenSubRuns(subRuns);
  if (ending !== null) {
    const text =
      brokenText === ''
        ? 'Every sub-run has ended.'
        : 'You can run again what did not succeed; the campaign then continues.';
    return { tone: ending.tone, title: ending.status, text };
  }
  switch (state) {
    case 'collecting':
      return { tone: 'working', title: 'Planning', text: 'The agent registers sub-runs.' };
    case 'finalized':
      return {
        tone: 'waiting',
        title: 'Planned',
        text: 'Sub-runs start when the campaign reaches its waiting phase.',
      };
    case 'halted':
      return {
        tone: 'needs-you',
        title: 'Halted',
        text: `${brokenText}. Nothing new starts until you rerun, skip or accept ${listBrokenSubRuns(subRuns).length === 1 ? 'it' : 'them'}.`,
      };
    case 'held':
      return {
        tone: 'waiting',
        title: 'On hold',
        text: 'Running sub-runs continue; new ones start when the campaign waits again.',
      };
    case 'reopened':
      return {
        tone: 'waiting',
        title: 'About to continue',
        text: 'Sub-runs start when the campaign waits for them again.',
      };
    case 'closing':
      return { tone: 'over', title: 'Stopping', text: 'Running sub-runs are being stopped.' };
    case 'settled':
    case 'closed':
      return {
        tone: brokenText === '' ? 'good' : 'partial',
        title:
          brokenText === '' ? 'All sub-runs have ended' : `All sub-runs have ended, ${brokenText}`,
        text: 'The campaign brings the results together.',
      };
    default:
      return { tone: 'working', title: 'Running', text: progress };
  }
}

/** What needs a hand comes first, what is done comes last; else in the order of registration. */
const ORDER: readonly SubRunStatus[] = [
  'failed',
  'escalated',
  'dispatched',
  'ready',
  'pending',
  'skipped',
  'complete',
];

export const sortFailuresFirst = <Of extends Pick<SubRunView, 'status'>>(
  subRuns: readonly Of[],
): Of[] => [...subRuns].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
