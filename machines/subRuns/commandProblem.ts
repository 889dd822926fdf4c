import type { SubRunInput } from '../../src/schema/subRun.ts';
import { jsonBytes } from '../rules/limits.ts';
import { isRunning, isTerminal, markAt, statusOf } from './graph.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { CommandEvent } from './subRunsEvents.ts';

/** Most sub-runs of one parent. */
export const MAX_SUB_RUNS = 1_000;
/** Names and dependencies of all sub-runs together, bytes as JSON: they live in a context of at most 64 KiB. */
export const MAX_GRAPH_BYTES = 48_000;

/** Why a sub-run cannot be skipped, rerun or cancelled as it stands; null = it can. */
export function commandProblem({ graph }: SubRunsContext, { type, name }: Pick<CommandEvent, 'type' | 'name'>): string | null {
  const n = graph.names.indexOf(name);
  if (n < 0) return `there is no sub-run ${name}; there are ${graph.names.slice(0, 20).join(', ') || 'none'}`;
  const mark = markAt(graph, n);
  if (mark === 'x' || mark === 'k') return `${name} is being stopped already`;
  if (type === 'subRuns.rerun') {
    return isTerminal(mark) ? null : `${name} is ${statusOf(mark)}; only a sub-run that has ended can be run again`;
  }
  if (type === 'subRuns.cancel') return isTerminal(mark) ? `${name} has ended already (${statusOf(mark)})` : null;
  return mark === 'c' || mark === 's' ? `${name} is ${statusOf(mark)}: nothing waits for it any more` : null;
}

/** Why a spec cannot be registered now; null = it can. A pending one of the same name is replaced. */
export function specProblem({ graph }: SubRunsContext, { name, dependsOn = [] }: SubRunInput): string | null {
  const { names } = graph;
  const n = names.indexOf(name);
  if (n >= 0 && (isRunning(markAt(graph, n)) || isTerminal(markAt(graph, n)))) {
    return `a sub-run ${name} has been run already; take another name`;
  }
  if (n < 0 && names.length >= MAX_SUB_RUNS) return `there are ${MAX_SUB_RUNS} sub-runs already, the most that a parent may have`;
  const bytes = jsonBytes({ names, dependsOn: graph.dependsOn }) + jsonBytes([name, dependsOn]);
  return bytes <= MAX_GRAPH_BYTES
    ? null
    : `names and dependencies of the sub-runs would take ${bytes} bytes of at most ${MAX_GRAPH_BYTES}; use shorter names or fewer sub-runs`;
}
