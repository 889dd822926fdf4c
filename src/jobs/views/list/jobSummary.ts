import { describeCompletion } from '../../../../machines/index.ts';
import { shorten } from '../../../base/text/clip.ts';
import { describeEndedPrs, endedWorkText } from '../../../base/jobs/describeEndedPrs.ts';
import { isJobUnreadable } from '../../../base/jobs/isJobUnreadable.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { ListedJob } from '../../store/queries/toListedJob.ts';
import type { JobCost } from '../../../contract/schema/policy/costs.ts';
import type { JobEnding, JobSummary, Parked } from '../../../contract/schema/job/job.ts';
import { toDollars } from '../reports/createCosts.ts';
import type { LastOutputs } from '../history/lastOutputs.ts';
import type { Ask, JobNeeds, NeedsGroup } from '../../../contract/schema/job/jobNeeds.ts';

const toNeedsGroup = (ask: Ask): NeedsGroup => {
  if (ask === 'review') return 'review';
  return ask === 'failed' || ask === 'escalated' ? 'broken' : 'decide';
};

/** What the job needs a person for; null = nothing. */
export const toNeeds = ({
  ask,
  since,
  prs,
}: Pick<ListedJob, 'ask' | 'since' | 'prs'>): JobNeeds | null =>
  ask === null
    ? null
    : {
        group: toNeedsGroup(ask),
        ask,
        since: toIsoTime(since),
        ...(ask === 'review' && prs !== null ? { prIds: [...prs.openPrs] } : {}),
      };

/** Left out unless it is snoozed. */
export const pickSnoozed = ({ snooze }: Pick<ListedJob, 'snooze'>): Pick<JobSummary, 'snoozed'> =>
  snooze === null ? {} : { snoozed: { ask: snooze.ask, until: toIsoTime(snooze.until) } };

/**
 * A job as lists show it, with the last line of its agent while it works. `shut` as in {@link
 * summaryOf}.
 */
export const toLiveSummary = (
  listedJob: ListedJob,
  { shut, lastLine }: { shut: string | null; lastLine: LastOutputs['readLastLine'] },
): JobSummary => {
  const summary = toJobSummary(listedJob, shut);
  const line = listedJob.state === 'working' ? lastLine(listedJob.id) : null;
  return line === null ? summary : { ...summary, lastLine: line };
};

/** Most characters of a reason in lists; the job has the whole reason. */
const MAX_REASON_CHARS = 500;

const ENDED: ReadonlySet<ListedJob['state']> = new Set([
  'failed',
  'partial',
  'complete',
  'cancelled',
]);

export const toJobCost = ({
  microUsd,
  unpriced,
  tokens,
  unreported,
}: NonNullable<ListedJob['cost']>): JobCost => ({
  usd: toDollars(microUsd, unpriced),
  unpriced,
  tokens,
  unreported,
});

/** Left out while nothing was used. */
export const pickJobCost = ({ cost }: Pick<ListedJob, 'cost'>): Pick<JobSummary, 'cost'> =>
  cost === null ? {} : { cost: toJobCost(cost) };

export const isCost = (
  { cost }: Pick<JobSummary, 'cost'>,
  listedJob: Pick<ListedJob, 'cost'>,
): boolean =>
  (cost?.tokens ?? null) === (listedJob.cost?.tokens ?? null) &&
  (cost?.unpriced ?? null) === (listedJob.cost?.unpriced ?? null);

export const shortenJobReason = (reason: string | null): string | null =>
  reason === null ? null : shorten(reason, MAX_REASON_CHARS);

/** The message about an unreadable job; null for any other. */
function explainBrokenJob(brokenRows: ListedJob['broken']): string | null {
  const own = brokenRows.find((row) => isJobUnreadable([row]));
  return own === undefined
    ? null
    : `This job cannot be read (${own.table}: ${own.reason}). Stop the runner and run svc doctor --fix.`;
}

/** How a job has ended; undefined until then. */
function describeJobEnding({
  state,
  status,
  failed,
  escalated,
  prs,
  unchangedArtefacts,
}: ListedJob): JobEnding | undefined {
  if (prs === null || !ENDED.has(state)) return undefined;
  const base =
    state === 'partial' || state === 'complete'
      ? describeCompletion({ failed, escalated })
      : status;
  const { openPrs, mergedPrs, closedPrs } = prs;
  const work = {
    openPrs: [...openPrs],
    mergedPrs,
    closedPrs,
    ...(unchangedArtefacts === null ? {} : { unchanged: true as const }),
  };
  const text = [base, endedWorkText(work)].filter((part) => part !== null).join(', ');
  return { text, ...work };
}

/** What a complete job without changes lacks; null for any other. */
function unchangedReason({ unchangedArtefacts }: ListedJob): string | null {
  if (unchangedArtefacts === null) return null;
  return unchangedArtefacts === 0
    ? 'it opened no pull request and wrote no plan or report'
    : 'it opened no pull request';
}

/** Why it failed or escalated, and notes about its work; null = none. */
const explainJobEnd = (listedJob: ListedJob): string | null => {
  const { escalation, prs } = listedJob;
  const parts = [escalation, prs && describeEndedPrs(prs), unchangedReason(listedJob)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join('; ');
};

/**
 * A job as lists show it, from its rows alone, without its snapshot. `slotReason`: why no queued job
 * starts now; null, the default = they do.
 */
export const toJobSummary = (
  listedJob: ListedJob,
  slotReason: string | null = null,
): JobSummary => {
  const { state, failed, escalated, broken } = listedJob;
  const isEnded = ENDED.has(state);
  // Only the chart of the job writes it.
  const parking = listedJob.parked === null ? null : (JSON.parse(listedJob.parked) as Parked);
  const waits = state === 'queued' ? slotReason : (parking?.reason ?? null);
  const reason = explainBrokenJob(broken) ?? (isEnded ? explainJobEnd(listedJob) : waits);
  const ending = describeJobEnding(listedJob);
  return {
    id: listedJob.id,
    type: listedJob.kind,
    status: listedJob.status,
    phase: listedJob.phase,
    workflowPath: listedJob.workflow,
    parentJobId: listedJob.parent,
    parked: parking,
    ended: isEnded,
    needs: toNeeds(listedJob),
    ...pickSnoozed(listedJob),
    since: toIsoTime(listedJob.since),
    reason: shortenJobReason(reason),
    ...(state === 'partial'
      ? { subRunFailures: { failed, escalated, text: describeCompletion({ failed, escalated }) } }
      : {}),
    ...(ending ? { ending } : {}),
    ...pickJobCost(listedJob),
    ...(listedJob.rating === null ? {} : { rating: listedJob.rating }),
    description: listedJob.description,
    repoSlug: listedJob.repo,
    ...(listedJob.creator === null ? {} : { createdBy: listedJob.creator }),
    ...(listedJob.reviewers.length === 0 ? {} : { reviewers: [...listedJob.reviewers] }),
    createdAt: toIsoTime(listedJob.createdAt),
    updatedAt: toIsoTime(listedJob.updatedAt),
    ...(broken.length > 0 && { broken: [...broken] }),
  };
};
