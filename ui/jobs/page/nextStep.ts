import { ruleNamedIn } from '../../../src/domain/guardrails.ts';
import type { Job } from '../../../src/schema/job.ts';
import type { PrMapping } from '../../../src/schema/pr.ts';
import type { IconName } from '../../shell/Icon.tsx';
import { hashOf, type JobTab, jobHash } from '../../shell/router.ts';

/** A command of the job's page. */
export type JobCommand = 'resume' | 'pause' | 'rerun' | 'cancel';

/** A button with what it does: it sends a command, or opens a place. */
export interface NextStep {
  says: string;
  icon: IconName;
  /** Null: it opens a place. */
  command: JobCommand | null;
  /** Where it leads; null of a command. */
  href: string | null;
  /** The key of the question on the overview that it presses there; null = it only leads there. */
  key: 'a' | 'r' | null;
  /** False: it is offered, and nothing waits for it. */
  isPrimary: boolean;
}

/** What the page knows of a job, as far as what to do next depends on it. */
export type StepJob = Pick<
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

const NOTHING = { command: null, href: null, key: null, isPrimary: true } as const;

const opens = (says: string, icon: IconName, href: string): NextStep => ({
  ...NOTHING,
  says,
  icon,
  href,
});
const commands = (says: string, icon: IconName, command: JobCommand): NextStep => ({
  ...NOTHING,
  says,
  icon,
  command,
});
/** Answers the question of the job, which is on its overview. */
const answers = (job: StepJob, says: string, icon: IconName, key: 'a' | 'r'): NextStep => ({
  ...opens(says, icon, jobHash(job.id)),
  key,
});
const inTab = (
  job: StepJob,
  says: string,
  icon: IconName,
  tab: JobTab,
  ...rest: string[]
): NextStep => opens(says, icon, jobHash(job.id, tab, ...rest));
/** Offered, and nothing waits for it. */
const offered = (next: NextStep): NextStep => ({ ...next, isPrimary: false });

/** `2 files, +17 −3`. */
export const sizeText = ({ files, added, removed }: NonNullable<ChangeSize>): string =>
  [
    `${files} ${files === 1 ? 'file' : 'files'}`,
    [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');

/** The pull request that a person is to look at: the one that is awaited, or the newest open one. */
export const awaitedPr = (job: Pick<StepJob, 'prMappings' | 'awaitingPrId'>): PrMapping | null => {
  const open = job.prMappings.filter(({ state }) => state === 'open');
  return open.find(({ prId }) => prId === job.awaitingPrId) ?? open.at(-1) ?? null;
};

function reviewStep(job: StepJob, pr: PrMapping, size: ChangeSize): NextStep {
  const what = size === null ? '' : ` (${sizeText(size)})`;
  return inTab(job, `Review #${pr.number}${what}`, 'merge', 'changes', pr.prId);
}

const failedParts = ({ subRuns }: StepJob): string[] =>
  subRuns
    .filter(({ status }) => status === 'failed' || status === 'escalated')
    .map(({ name }) => name);

function haltedStep(job: StepJob): NextStep {
  const [first, ...others] = failedParts(job);
  const says =
    first === undefined
      ? 'Decide about the campaign'
      : others.length === 0
        ? `Decide about ${first}`
        : `Decide about ${others.length + 1} failures`;
  return inTab(job, says, 'graph', 'campaign');
}

const resume = (says: string): NextStep => commands(says, 'play', 'resume');
const campaign = (job: StepJob): NextStep => inTab(job, 'Open the campaign', 'graph', 'campaign');
const runAgain = (job: StepJob): NextStep =>
  offered(opens('Run again', 'plus', hashOf(['new'], { from: job.id })));
const rerun = (): NextStep => commands('Rerun a phase …', 'redo', 'rerun');

function endedStep(job: StepJob, can: (event: string) => boolean): NextStep {
  const left = awaitedPr(job);
  if (job.status === 'failed' && can('job.resume')) return resume('Resume');
  if (job.status === 'failed' || job.status === 'escalated')
    return can('job.rerun') ? rerun() : runAgain(job);
  // A pull request that was left open waits for a person.
  if (left !== null && job.status === 'complete') return reviewStep(job, left, null);
  return failedParts(job).length > 0 ? offered(campaign(job)) : runAgain(job);
}

/**
 * The one thing to do about a job now. Never what goes around a decision, such as continuing without
 * the review that it waits for. `can`: whether the job takes such an event; `size` of the pull
 * request of `awaitedPr`. Null: nothing can be done.
 */
export function nextStep(
  job: StepJob,
  can: (event: string) => boolean,
  size: ChangeSize = null,
): NextStep | null {
  if (job.ended) return endedStep(job, can);
  const { parked } = job;
  if (parked === null)
    return can('job.pause') ? offered(commands('Pause', 'pause', 'pause')) : null;
  switch (parked.kind) {
    case 'approval':
      return answers(job, 'Approve', 'check', 'a');
    case 'event': {
      const pr = awaitedPr(job);
      if (pr !== null) return reviewStep(job, pr, size);
      const reply = answers(job, 'Reply', 'send', 'r');
      return parked.needsPerson ? reply : offered(reply);
    }
    case 'developer':
      return ruleNamedIn(parked.reason) === null
        ? answers(job, 'Reply', 'send', 'r')
        : answers(job, 'Decide about the change', 'check', 'r');
    case 'external':
      return answers(job, 'Report what happened', 'send', 'r');
    case 'flagged':
      return answers(job, 'Decide about the flag', 'check', 'r');
    case 'halted':
      return haltedStep(job);
    case 'budget':
      return answers(job, 'Raise the budget', 'plus', 'r');
    case 'outage':
      return parked.needsPerson ? resume('Try again') : offered(resume('Try again now'));
    case 'quota':
      // Without a time, a person has to see to the account first.
      return parked.until === undefined
        ? opens('See the account', 'right', '#/budgets')
        : offered(resume('Try again now'));
    case 'subRuns':
      return parked.needsPerson ? campaign(job) : offered(campaign(job));
    case 'paused':
      return resume('Resume');
  }
}
