import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { isJobUnreadable } from '../../src/base/jobs/isJobUnreadable.ts';
import { isNamedError } from '../../src/base/output/errorLine.ts';
import { endedWorkText } from '../../src/base/jobs/describeEndedPrs.ts';
import type { JobSummary, ParkKind } from '../../src/contract/schema/job/job.ts';

const WAITS: Readonly<Record<ParkKind, string>> = {
  approval: 'Waiting for approval',
  event: 'Waiting for a pull request',
  external: 'Waiting for something outside svc',
  quota: 'Waiting for quota',
  budget: 'Waiting for a budget',
  outage: 'Waiting for a service or a repair',
  developer: 'Waiting for you',
  paused: 'Paused',
  subRuns: 'Waiting for its sub-runs',
  halted: 'Campaign halted',
  flagged: 'Flagged: waiting for you',
};

export const describeParkKind = (kind: ParkKind): string => WAITS[kind];

/** Words of statuses that are short for something. */
const WORDS: Readonly<Record<string, string>> = { pr: 'pull request', prs: 'pull requests' };

/** With a capital; a text that begins with the name of a file, or with that of svc, stays as it is. */
export const capitalizeReason = (text: string): string =>
  /^(?:\S*[./_]\S|svc\b)/.test(text) ? text : capitalizeFirst(text);

/** A text as a sentence: with a capital, and a full stop where it has none. */
export const toPlainSentence = (text: string): string =>
  `${capitalizeReason(text)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** A status in plain words: `awaiting-pr-merge` → `Awaiting pull request merge`. */
export const toPlainStatus = (status: string): string =>
  capitalizeReason(
    status
      .split(/[-_:]+/)
      .map((word) => WORDS[word] ?? word)
      .join(' '),
  );

const WAITING_STATUS = /^a?waiting\b/;

export function describeJobState(
  job: Pick<JobSummary, 'ended' | 'parked' | 'status' | 'subRunFailures' | 'ending' | 'broken'>,
): string {
  if (isJobUnreadable(job.broken)) return 'Cannot be read';
  if (job.ended) {
    const state = job.subRunFailures
      ? capitalizeReason(job.subRunFailures.text)
      : toPlainStatus(job.status);
    const prs = job.ending ? endedWorkText(job.ending, false) : null;
    return prs === null ? state : `${state}, ${prs}`;
  }
  if (job.parked) return describeParkKind(job.parked.kind);
  // The status of a phase that mostly waits: beside a job at work it would say the contrary.
  return WAITING_STATUS.test(job.status) ? 'Working' : toPlainStatus(job.status);
}

/** Acts of the runner, as the subject of a sentence about the outcome of them. */
const ACTS: Readonly<Record<string, string>> = {
  'session.open': 'The agent session',
  'session.stop': 'Stopping the agent',
  'phase.prepare': 'Preparing the phase',
  'forge.write': 'A write to the forge',
  'message.offer': 'Handing over a message',
};

const RUNNING: Readonly<Record<string, string>> = {
  'session.open': 'Agent running',
  'session.stop': 'Stopping the agent',
  'phase.prepare': 'Preparing the phase',
  'forge.write': 'Writing to the forge',
  'message.offer': 'Handing over a message',
};

/** Whether an act of the runner has words of its own; the others are its bookkeeping. */
export const isNamedRunnerAct = (act: string): boolean => Object.hasOwn(RUNNING, act);

/** What the runner does now; an act that is not known by its own name. */
export const describeRunnerAct = (act: string): string => RUNNING[act] ?? act;

/** How a budget is raised at the command line, as svc says it and as 0.2 said it; the page has a button. */
const RAISE_BY_COMMAND =
  / (?:To continue, raise it|Anyone who may command jobs can raise it): svc budget raise [^,]*, or (?:a )?resume with a budget; nothing is lost\./;

/** How a job continues after an outage at the command line; the page has a button. */
const RESUME_BY_COMMAND =
  /(When it is repaired, (?:continue the job|the job continues by itself \([^)]*\)))(?: with|, or immediately with): svc resume \S+/;

/**
 * Why a job waits or has failed, as people say it: without the name of its phase, which is shown
 * beside it, and without names of the code. The text of an agent stays as it is.
 */
export function toPlainReason(reason: string): string {
  // The first is how svc 0.2 said it.
  const approval = /^phase \S+ waits for (?:a developer's|your) approval/;
  if (approval.test(reason)) return reason.replace(approval, 'Waits for your approval');
  const [, act = '', rest = ''] = /^([a-z]+\.[a-z]+) of phase \S+ (.*)$/is.exec(reason) ?? [];
  if (ACTS[act] !== undefined) return `${ACTS[act]} ${rest}`;
  const halted = HALTED.exec(reason);
  if (halted?.[1] !== undefined) return describeHaltReason(halted[1].split(', '));
  return capitalizeReason(
    reason
      .replace(/^phase [^\s:]+: /, '')
      .replace(OWN_BUDGET, 'the budget of this job')
      .replace(QUOTA_CAUSE, '$1.')
      .replace(RAISE_BY_COMMAND, ' Nothing is lost.')
      .replace(RESUME_BY_COMMAND, '$1.'),
  );
}

/** A budget of the job itself, with its id, which is that of the page or row. */
const OWN_BUDGET = /^the budget of job \S+/;
/** What the program said when the model refused: the cause is the quota. */
const QUOTA_CAUSE = /(takes no requests for a while.* UTC): .*/s;
const HALTED = /^(.+) did not succeed: rerun, skip/;

/** Names come in the middle of the sentence, so that none gets a capital that it does not have. */
function describeHaltReason(names: readonly string[]): string {
  const list = names.join(', ').replace(/,(?=[^,]*$)/, ' and');
  return `Failed: ${list}. Rerun, skip or cancel ${names.length === 1 ? 'it' : 'them'}, so that the others can continue.`;
}

/** What a program says last before it is quoted. */
const QUOTES = / (?:Last output|The end of its std(?:err|out)):$/;
/** What svc 0.2 wrote of a program whose output it had not read. */
const UNREAD = / It wrote nothing to std(?:err)\.(?=$| )/;

interface BriefReason {
  /** In a line. */
  says: string;
  /** For less room than a line: the words that distinguish this failure come first. */
  short: string;
  /** What follows; null = that is all. */
  rest: string | null;
}

/**
 * A reason in one line, and what follows. For a program that wrote a stack, the line includes the
 * name of the error: the exit code alone says nothing.
 */
export function splitReason(reason: string): BriefReason {
  const [first = '', ...more] = toPlainReason(reason).replace(UNREAD, '').split('\n');
  if (more.every((line) => line.trim() === '')) return { says: first, short: first, rest: null };
  const errorLine = more.find((line) => isNamedError(line))?.trim();
  const says = first.replace(QUOTES, '');
  const rest = more.join('\n');
  return errorLine === undefined
    ? { says, short: says, rest }
    : { says: `${says} ${errorLine}`, short: errorLine, rest };
}
