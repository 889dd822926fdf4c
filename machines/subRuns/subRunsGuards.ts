import type { GuardNote } from '../../src/durable/chart.ts';
import { allTerminal, anyBroken, isRunning, type Mark, markAt } from './graph.ts';
import { graphProblems } from './graphProblems.ts';
import { commandProblem, specProblem } from './commandProblem.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';

interface Args {
  context: SubRunsContext;
  event: SubRunsEvent;
}

type Test = (args: Args) => boolean;

/** The mark of the sub-run that the event speaks of; undefined where it speaks of none, or of an earlier attempt. */
const markOf = ({ context: { graph }, event }: Args): Mark | undefined => {
  if (!('name' in event) || !('attempt' in event)) return undefined;
  const n = graph.names.indexOf(event.name);
  return n >= 0 && graph.attempts[n] === event.attempt ? markAt(graph, n) : undefined;
};

const runs: Test = (args) => isRunning(markOf(args) ?? 'p');

const command: Test = ({ context, event }) =>
  (event.type === 'subRuns.skip' || event.type === 'subRuns.rerun' || event.type === 'subRuns.cancel') &&
  commandProblem(context, event) === null;

/** All guards of the dispatcher, by name. */
export const subRunsGuards = {
  specFits: ({ context, event }) => event.type === 'subRuns.register' && specProblem(context, event.spec) === null,
  graphFits: ({ context }) => graphProblems(context.graph).length === 0,
  commandFits: command,
  beginsNow: (args) => markOf(args) === 'd',
  stoppedBefore: runs,
  runsNow: runs,
  dispatchGivenUp: (args) => args.event.type === 'effect.givenUp' && args.event.effect === 'subRun.dispatch' && runs(args),
  stopGivenUp: (args) =>
    args.event.type === 'effect.givenUp' && args.event.effect === 'subRun.stop' && ['x', 'k'].includes(markOf(args) ?? ''),
  endedBefore: (args) => ['c', 'f', 'e'].includes(markOf(args) ?? ''),
  allEnded: ({ context }) => allTerminal(context.graph),
  decided: ({ context: { graph, roundFrom } }) => !anyBroken(graph, roundFrom),
  halts: ({ context: { graph, policy, attended, roundFrom } }) =>
    policy === 'halt-on-failure' && attended && anyBroken(graph, roundFrom),
} satisfies Record<string, Test>;

/** What each guard says to people. */
export const subRunsGuardNotes: Readonly<Record<keyof typeof subRunsGuards, GuardNote>> = {
  specFits: { readsEvent: true, says: 'the sub-run is new or has not begun, and there is room for it' },
  graphFits: { readsEvent: false, says: 'sub-runs are registered, all that they depend on exists, and there is no cycle' },
  commandFits: { readsEvent: true, says: 'the sub-run exists and is in a state in which this can be done' },
  beginsNow: { readsEvent: true, says: 'the sub-run is dispatched and nobody has stopped it' },
  stoppedBefore: { readsEvent: true, says: 'this run of the sub-run is the current one' },
  runsNow: { readsEvent: true, says: 'this run of the sub-run is the current one and has not ended' },
  dispatchGivenUp: { readsEvent: true, says: 'the sub-run could not be dispatched' },
  stopGivenUp: { readsEvent: true, says: 'the job of the sub-run could not be told to stop' },
  endedBefore: { readsEvent: true, says: 'this run of the sub-run is the current one and has ended' },
  allEnded: { readsEvent: false, says: 'every sub-run has ended' },
  decided: { readsEvent: false, says: 'no failure is left that a person has to decide about' },
  halts: { readsEvent: false, says: 'a sub-run has failed or escalated, the policy is halt-on-failure, and somebody can decide' },
};
