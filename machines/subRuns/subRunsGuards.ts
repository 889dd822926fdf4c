import type { GuardNote } from '../../src/kernel/chart.ts';
import {
  hasOnlyTerminalMarks,
  hasUndecidedMark,
  isBrokenMark,
  isRunningMark,
  isStoppingMark,
  isUndecidedMark,
  type Mark,
  readMark,
} from './graph.ts';
import { findGraphProblems } from './findGraphProblems.ts';
import { findCommandProblem, findSpecProblem } from './findCommandProblem.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';

interface Args {
  context: SubRunsContext;
  event: SubRunsEvent;
}

type Test = (args: Args) => boolean;

/** The mark of the event's sub-run; undefined = it names none, or an earlier attempt. */
const findEventMark = ({ context: { graph }, event }: Args): Mark | undefined => {
  if (!('name' in event) || !('attempt' in event)) return undefined;
  const n = graph.names.indexOf(event.name);
  return n >= 0 && graph.attempts[n] === event.attempt ? readMark(graph, n) : undefined;
};

const isRunningNow: Test = (args) => isRunningMark(findEventMark(args) ?? 'p');

const isFittingCommand: Test = ({ context, event }) =>
  (event.type === 'subRuns.skip' ||
    event.type === 'subRuns.unskip' ||
    event.type === 'subRuns.rerun' ||
    event.type === 'subRuns.cancel') &&
  findCommandProblem(context, event) === null;

/** The run ends in a way that a person must decide about. */
const isBreakingEnd: Test = (args) =>
  isRunningNow(args) &&
  args.event.type === 'subRun.ended' &&
  args.event.outcome !== 'complete' &&
  findEventMark(args) !== 'k';

/**
 * After the command other failures await a decision, and at least one: it decides one of several or
 * brings one back.
 */
const hasOtherFailures: Test = (args) => {
  const { context, event } = args;
  if (!isFittingCommand(args) || !('name' in event)) return false;
  const { graph, skippedFrom } = context;
  const n = graph.names.indexOf(event.name);
  if (event.type === 'subRuns.unskip') return isUndecidedMark(skippedFrom?.[n] ?? 'p');
  const undecidedCount = graph.names.filter((_, at) => isUndecidedMark(readMark(graph, at))).length;
  return isUndecidedMark(readMark(graph, n)) && undecidedCount > 1;
};

export const subRunsGuards = {
  specFits: ({ context, event }) =>
    event.type === 'subRuns.register' && findSpecProblem(context, event.spec, event.kept) === null,
  graphFits: ({ context }) => findGraphProblems(context.graph).length === 0,
  commandFits: isFittingCommand,
  otherFailures: hasOtherFailures,
  breaksNow: isBreakingEnd,
  beginsNow: (args) => ['d', 'o'].includes(findEventMark(args) ?? ''),
  /** Not version 1's `o`: whether it has a job is unknown. */
  makingGivenUp: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'subRun.dispatch' &&
    findEventMark(args) === 'd',
  isHindered: ({ context }) => (context.hindered ?? null) !== null,
  stoppedBefore: (args) => isStoppingMark(findEventMark(args) ?? 'p'),
  runsNow: isRunningNow,
  dispatchGivenUp: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'subRun.dispatch' &&
    isRunningNow(args) &&
    findEventMark(args) !== 'b',
  stopGivenUp: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'subRun.stop' &&
    isStoppingMark(findEventMark(args) ?? 'p'),
  endedBefore: (args) => findEventMark(args) === 'c' || isBrokenMark(findEventMark(args) ?? 'p'),
  cancelledAfterwards: (args) =>
    args.event.type === 'subRun.ended' &&
    args.event.outcome === 'cancelled' &&
    isBrokenMark(findEventMark(args) ?? 'p'),
  allEnded: ({ context }) => hasOnlyTerminalMarks(context.graph),
  settles: ({ context: { graph, policy } }) =>
    hasOnlyTerminalMarks(graph) && !(policy === 'halt-on-failure' && hasUndecidedMark(graph)),
  decided: ({ context: { graph } }) => !hasUndecidedMark(graph),
  halts: ({ context: { graph, policy } }) =>
    policy === 'halt-on-failure' && hasUndecidedMark(graph),
} satisfies Record<string, Test>;

export const subRunsGuardNotes: Readonly<Record<keyof typeof subRunsGuards, GuardNote>> = {
  specFits: {
    readsEvent: true,
    says: 'the sub-run is new, has not begun or is the same as the one that has run, and there is room for it',
  },
  graphFits: {
    readsEvent: false,
    says: 'sub-runs are registered, all that they depend on exists, and there is no cycle',
  },
  commandFits: {
    readsEvent: true,
    says: 'the sub-run exists and is in a state in which this can be done',
  },
  otherFailures: {
    readsEvent: true,
    says: 'the command fits, and afterwards other failures wait for a decision than before',
  },
  breaksNow: {
    readsEvent: true,
    says: 'this run of the sub-run is the current one and ends without success',
  },
  beginsNow: { readsEvent: true, says: 'the sub-run is dispatched and has no job yet' },
  makingGivenUp: {
    readsEvent: true,
    says: 'the job of this run of the sub-run could not be created, after several attempts',
  },
  isHindered: {
    readsEvent: false,
    says: 'the job of a sub-run cannot be created at the moment',
  },
  stoppedBefore: {
    readsEvent: true,
    says: 'this run of the sub-run is the current one and is being stopped',
  },
  runsNow: {
    readsEvent: true,
    says: 'this run of the sub-run is the current one and has not ended',
  },
  dispatchGivenUp: { readsEvent: true, says: 'the sub-run could not be dispatched' },
  stopGivenUp: {
    readsEvent: true,
    says: 'the stop request could not be sent to the job of the sub-run',
  },
  endedBefore: {
    readsEvent: true,
    says: 'this run of the sub-run is the current one and has ended',
  },
  cancelledAfterwards: {
    readsEvent: true,
    says: 'a person has cancelled the job of a sub-run that had failed or escalated',
  },
  allEnded: { readsEvent: false, says: 'every sub-run has ended' },
  settles: {
    readsEvent: false,
    says: 'every sub-run has ended, and no failure is left that a person has to decide about',
  },
  decided: { readsEvent: false, says: 'no failure is left that a person has to decide about' },
  halts: {
    readsEvent: false,
    says: 'a sub-run has failed or escalated, no decision was made about it, and the policy is halt-on-failure',
  },
};
