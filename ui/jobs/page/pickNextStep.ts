import { formatCount } from '../../../src/base/text/formatCount.ts';
import { findNamedRule } from '../../../src/base/agents/guardrails.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { IconName } from '../../shell/controls/Icon.tsx';
import { toRouteHash, type JobTab, toJobHash } from '../../shell/navigation/router.ts';

export type JobCommand = 'resume' | 'pause' | 'rerun' | 'cancel';

/** A button with what it does: it sends a command, or opens a place. */
export interface NextStep {
  says: string;
  icon: IconName;
  /** Null: it opens a place. */
  command: JobCommand | null;
  /** Where it leads; null of a command. */
  href: string | null;
  /** The question on the overview has a button for it. */
  isAnswer: boolean;
  /** False: it is offered, and nothing waits for it. */
  isPrimary: boolean;
}

/** What the page knows of a job, as far as what to do next depends on it. */
export type NextStepJob = Pick<
  Job,
  | 'id'
  | 'status'
  | 'ended'
  | 'parked'
  | 'state'
  | 'approval'
  | 'awaitingPrId'
  | 'prMappings'
  | 'subRuns'
  | 'ending'
  | 'phases'
  | 'needs'
>;

/** What a pull request changes; null while that is not known. */
export type ChangeSize = { files: number; added: number; removed: number } | null;

const NOTHING = { command: null, href: null, isAnswer: false, isPrimary: true } as const;

const createLinkStep = (says: string, icon: IconName, href: string): NextStep => ({
  ...NOTHING,
  says,
  icon,
  href,
});
const createCommandStep = (says: string, icon: IconName, command: JobCommand): NextStep => ({
  ...NOTHING,
  says,
  icon,
  command,
});
/** Answers the question of the job, which is on its overview. */
const createAnswerStep = (job: NextStepJob, says: string, icon: IconName): NextStep => ({
  ...createLinkStep(says, icon, toJobHash(job.id)),
  isAnswer: true,
});
const createTabStep = (
  job: NextStepJob,
  says: string,
  icon: IconName,
  tab: JobTab,
  ...rest: string[]
): NextStep => createLinkStep(says, icon, toJobHash(job.id, tab, ...rest));
/** Offered, and nothing waits for it. */
const markOffered = (next: NextStep): NextStep => ({ ...next, isPrimary: false });

/** `2 files, +17 −3`. */
export const formatChangeSize = ({ files, added, removed }: NonNullable<ChangeSize>): string =>
  [
    formatCount(files, 'file'),
    [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');

/** The pull request that a person is to look at: the one that is awaited, or the newest open one. */
export const findPrToReview = (
  job: Pick<NextStepJob, 'prMappings' | 'awaitingPrId'>,
): PrMapping | null => {
  const open = job.prMappings.filter(({ state }) => state === 'open');
  return open.find(({ prId }) => prId === job.awaitingPrId) ?? open.at(-1) ?? null;
};

function createReviewStep(job: NextStepJob, pr: PrMapping, size: ChangeSize): NextStep {
  const what = size === null ? '' : ` (${formatChangeSize(size)})`;
  return createTabStep(job, `Review #${pr.number}${what}`, 'merge', 'changes', pr.prId);
}

const listFailedParts = ({ subRuns }: NextStepJob): string[] =>
  subRuns
    .filter(({ status }) => status === 'failed' || status === 'escalated')
    .map(({ name }) => name);

function createHaltedStep(job: NextStepJob): NextStep {
  const [first, ...others] = listFailedParts(job);
  const says =
    first === undefined
      ? 'Decide about the campaign'
      : others.length === 0
        ? `Decide about ${first}`
        : `Decide about ${others.length + 1} failures`;
  return { ...createTabStep(job, says, 'graph', 'campaign'), isAnswer: true };
}

const createResumeStep = (says: string): NextStep => createCommandStep(says, 'play', 'resume');
const createCampaignStep = (job: NextStepJob): NextStep =>
  createTabStep(job, 'Open the campaign', 'graph', 'campaign');
const createRunAgainStep = (job: NextStepJob): NextStep =>
  markOffered(createLinkStep('Run again', 'plus', toRouteHash(['new'], { from: job.id })));
const createRerunStep = (): NextStep => createCommandStep('Rerun a phase …', 'redo', 'rerun');

function pickEndedStep(job: NextStepJob, can: (event: string) => boolean): NextStep {
  const prToReview = findPrToReview(job);
  if (job.status === 'failed' && can('job.resume')) return createResumeStep('Resume');
  if (job.status === 'failed' || job.status === 'escalated')
    return can('job.rerun') ? createRerunStep() : createRunAgainStep(job);
  // A pull request that was left open waits for a person.
  if (prToReview !== null && job.status === 'complete')
    return createReviewStep(job, prToReview, null);
  return listFailedParts(job).length > 0
    ? markOffered(createCampaignStep(job))
    : createRunAgainStep(job);
}

/**
 * The one thing to do about a job now. Never what goes around a decision, such as continuing without
 * the review that it waits for. `can`: whether the job takes such an event; `size` of the pull
 * request of `findPrToReview`. Null: nothing can be done.
 */
export function pickNextStep(
  job: NextStepJob,
  can: (event: string) => boolean,
  size: ChangeSize = null,
): NextStep | null {
  if (job.ended) return pickEndedStep(job, can);
  const { parked } = job;
  if (parked === null)
    return can('job.pause') ? markOffered(createCommandStep('Pause', 'pause', 'pause')) : null;
  switch (parked.kind) {
    case 'approval':
      return createAnswerStep(job, 'Approve', 'check');
    case 'event': {
      const pr = findPrToReview(job);
      if (pr !== null) return createReviewStep(job, pr, size);
      const reply = createAnswerStep(job, 'Reply', 'send');
      return parked.needsPerson ? reply : markOffered(reply);
    }
    case 'developer':
      return findNamedRule(parked.reason) === null
        ? createAnswerStep(job, 'Reply', 'send')
        : createAnswerStep(job, 'Decide about the change', 'check');
    case 'external':
      return createAnswerStep(job, 'Report what happened', 'send');
    case 'flagged':
      return createAnswerStep(job, 'Decide about the flag', 'check');
    case 'halted':
      return createHaltedStep(job);
    case 'budget':
      return createAnswerStep(job, 'Raise the budget', 'plus');
    case 'outage':
      return parked.needsPerson
        ? createResumeStep('Try again')
        : markOffered(createResumeStep('Try again now'));
    case 'quota':
      // Without a time, a person has to see to the account first.
      return parked.until === undefined
        ? createLinkStep('See the account', 'right', '#/budgets')
        : markOffered(createResumeStep('Try again now'));
    case 'subRuns':
      return parked.needsPerson
        ? { ...createCampaignStep(job), isAnswer: true }
        : markOffered(createCampaignStep(job));
    case 'paused':
      return createResumeStep('Resume');
  }
}
