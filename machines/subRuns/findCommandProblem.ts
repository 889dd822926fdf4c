import { MAX_SUB_RUNS } from '../../src/base/limits/jobLimits.ts';
import type { SubRunInput } from '../../src/contract/schema/job/subRun.ts';
import { countJsonBytes } from '../job/rules/limits.ts';
import {
  listEdges,
  isRunningMark,
  isStoppingMark,
  isTerminalMark,
  isUndecidedMark,
  readMark,
  toSubRunStatus,
} from './graph.ts';
import { findFailuresBefore, listDependents } from './advanceCampaign.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { CommandEvent } from './subRunsEvents.ts';

/** Most bytes of all names and dependencies as JSON; they share a context of at most 64 KiB. */
export const MAX_GRAPH_BYTES = 48_000;

/** Why a sub-run cannot be skipped, rerun or cancelled now; null = it can. */
export function findCommandProblem(
  context: SubRunsContext,
  event: Pick<CommandEvent, 'type' | 'name'> & { by?: CommandEvent['by'] },
): string | null {
  const { graph } = context;
  const { type, name } = event;
  const n = graph.names.indexOf(name);
  if (n < 0)
    return `there is no sub-run ${name}; the sub-runs are ${graph.names.slice(0, 20).join(', ') || 'none'}`;
  const mark = readMark(graph, n);
  if (isStoppingMark(mark)) return `${name} is being stopped already`;
  if (type === 'subRuns.rerun') {
    if (!isTerminalMark(mark))
      return `${name} is ${toSubRunStatus(mark)}; only a sub-run that has ended can be run again`;
    return event.by === 'agent' ? findAgentRerunProblem(context, n) : null;
  }
  if (type === 'subRuns.unskip') return unskipProblem(context, n);
  if (type === 'subRuns.cancel')
    return isTerminalMark(mark) && !(isUndecidedMark(mark) && context.policy === 'halt-on-failure')
      ? `${name} has ended already (${toSubRunStatus(mark)})`
      : null;
  return mark === 'c' || mark === 's'
    ? `${name} is ${toSubRunStatus(mark)}: nothing waits for it any more`
    : null;
}

/** Not begun and not asked to stop: `d` and `w` have no job yet and wait again. */
const UNBEGUN = 'prwdus';

/** A skip can be undone only while nothing has come of it. */
function unskipProblem({ graph, skippedFrom }: SubRunsContext, n: number): string | null {
  const name = graph.names[n];
  if (readMark(graph, n) !== 's')
    return `${name} is ${toSubRunStatus(readMark(graph, n))}, and was not skipped by a person`;
  if (skippedFrom?.[n] === undefined)
    return `the skip of ${name} cannot be undone any more: its job was stopped, or all sub-runs have ended since; run it again`;
  const startedDependent = (listDependents(listEdges(graph))[n] ?? []).find(
    (other) => !UNBEGUN.includes(readMark(graph, other)),
  );
  return startedDependent === undefined
    ? null
    : `${graph.names[startedDependent]} depends on ${name} and has started: run ${name} again instead`;
}

/** An agent that could rerun without limit would never ask a person. */
function findAgentRerunProblem({ graph, agentReruns }: SubRunsContext, n: number): string | null {
  const again = [n, ...findFailuresBefore(graph, n)].find((position) =>
    agentReruns.includes(position),
  );
  return again === undefined
    ? null
    : `an agent has run ${graph.names[again]} again once already; only a person can run it once more`;
}

/**
 * Why a spec cannot be registered now; null = it can. It replaces one of the same name that has not
 * begun; one that has begun keeps its spec.
 */
export function findSpecProblem(
  { graph }: SubRunsContext,
  { name, dependsOn = [] }: Pick<SubRunInput, 'name' | 'dependsOn'>,
  isKept = false,
): string | null {
  const { names } = graph;
  const n = names.indexOf(name);
  const mark = n < 0 ? 'p' : readMark(graph, n);
  if (isRunningMark(mark) || (isTerminalMark(mark) && mark !== 'u')) {
    return isKept
      ? null
      : `${name} is ${toSubRunStatus(mark)} and keeps what it was registered with: leave it out, or take another name for other work`;
  }
  if (n < 0 && names.length >= MAX_SUB_RUNS)
    return `there are ${MAX_SUB_RUNS} sub-runs already, the most that a parent may have`;
  const bytes =
    countJsonBytes({ names, dependsOn: graph.dependsOn }) + countJsonBytes([name, dependsOn]);
  return bytes <= MAX_GRAPH_BYTES
    ? null
    : `names and dependencies of the sub-runs would take ${bytes} bytes of at most ${MAX_GRAPH_BYTES}; use shorter names or fewer sub-runs`;
}
