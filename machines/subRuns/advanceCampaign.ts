import {
  hasUndecidedMark,
  listEdges,
  type Graph,
  isAcceptedMark,
  isBrokenMark,
  isRunningMark,
  type Mark,
  readMark,
  isSatisfyingMark,
  setMarks,
} from './graph.ts';
import type { FailurePolicy } from '../../src/contract/schema/workflow/workflow.ts';

/** How far a campaign may go by itself. */
export interface CampaignRules {
  /** Sub-runs with a job at once. */
  cap: number;
  policy: FailurePolicy;
}

/** A sub-run that the dispatcher skips, with the failed one that it waits for. */
export interface UnreachableSubRun {
  n: number;
  because: string;
}

export interface CampaignAdvance {
  graph: Graph;
  /** Those that begin now, oldest registration first. */
  dispatched: number[];
  /** Those that became or ceased to be ready. */
  ready: number[];
  waiting: number[];
  unreachable: UnreachableSubRun[];
  /** A failure under `halt-on-failure`: nothing more begins until a person has decided. */
  halted: boolean;
}

/**
 * The dispatcher's loop, once (SUB-2): the failure policy, the ready set, up to the cap. Values in,
 * values out; linear in sub-runs and edges. With `hold` nothing begins.
 */
export function advanceCampaign(
  graph: Graph,
  { cap, policy }: CampaignRules,
  hold = false,
): CampaignAdvance {
  const edges = listEdges(graph);
  const marks = [...graph.marks] as Mark[];
  const halted = policy === 'halt-on-failure' && hasUndecidedMark(graph);
  const unreachable: UnreachableSubRun[] = [];

  const drop = (n: number, because: string) => {
    marks[n] = 'u';
    unreachable.push({ n, because });
  };
  skipUnreachable(graph, edges, marks, policy === 'continue' ? isBrokenMark : isAcceptedMark, drop);

  const ready: number[] = [];
  const waiting: number[] = [];
  marks.forEach((mark, n) => {
    if (mark !== 'p' && mark !== 'r') return;
    const free = (edges[n] ?? []).every((needed) => isSatisfyingMark(marks[needed] ?? 'p'));
    if (free === (mark === 'r')) return;
    marks[n] = free ? 'r' : 'p';
    (free ? ready : waiting).push(n);
  });

  const dispatched: number[] = [];
  if (!hold && !halted) {
    let free = cap - marks.filter(isRunningMark).length;
    for (let n = 0; n < marks.length && free > 0; n++) {
      if (marks[n] !== 'r') continue;
      marks[n] = 'd';
      dispatched.push(n);
      free -= 1;
    }
  }
  const begins = new Set(dispatched);
  const changes = new Map<number, Mark>();
  marks.forEach((mark, n) => {
    if (mark !== readMark(graph, n)) changes.set(n, mark);
  });
  return {
    graph: setMarks(graph, changes),
    dispatched,
    ready: ready.filter((n) => !begins.has(n)),
    waiting,
    unreachable,
    halted,
  };
}

/**
 * Skips everything that waits, through whatever chain, for a failure that nothing will decide
 * (`cuts`), or for one that the dispatcher has skipped before: what a person runs again must not
 * wait for that forever. Each names the one at the start of the chain.
 */
function skipUnreachable(
  { names }: Graph,
  edges: readonly (readonly number[])[],
  marks: readonly Mark[],
  cuts: (mark: Mark) => boolean,
  drop: (n: number, because: string) => void,
): void {
  if (!marks.some((mark) => mark === 'u' || isBrokenMark(mark))) return;
  const dependents = listDependents(edges);
  const known = new Set<number>();
  const skipAfter = (root: number, what: string) => {
    const queue = [root];
    for (let at = 0; at < queue.length; at++) {
      for (const dependent of dependents[queue[at] ?? root] ?? []) {
        const mark = marks[dependent];
        if (known.has(dependent) || (mark !== 'p' && mark !== 'r' && mark !== 'u')) continue;
        known.add(dependent);
        if (mark !== 'u') drop(dependent, `waits for ${names[root]}, which ${what}`);
        queue.push(dependent);
      }
    }
  };
  marks.forEach((mark, n) => {
    if (cuts(mark)) skipAfter(n, mark === 'e' || mark === 'E' ? 'escalated' : 'failed');
  });
  marks.forEach((mark, n) => {
    if (mark === 'u' && !known.has(n)) skipAfter(n, 'is skipped');
  });
}

/** For each sub-run those that wait for it. */
export function listDependents(edges: readonly (readonly number[])[]): number[][] {
  const dependents: number[][] = edges.map(() => []);
  edges.forEach((needed, n) => {
    for (const other of needed) dependents[other]?.push(n);
  });
  return dependents;
}

/**
 * What has to run again with `n`, which would be skipped at once without it: the failures that it
 * waits for, through whatever chain of failed and skipped ones. `cuts`: which failures will not be
 * decided any more; default all.
 */
export function findFailuresBefore(
  graph: Graph,
  n: number,
  cuts: (mark: Mark) => boolean = isBrokenMark,
): number[] {
  const edges = listEdges(graph);
  const found = new Set<number>([n]);
  const queue = [n];
  for (let at = 0; at < queue.length; at++) {
    for (const needed of edges[queue[at] ?? n] ?? []) {
      const mark = readMark(graph, needed);
      if (found.has(needed) || !(cuts(mark) || mark === 'u')) continue;
      found.add(needed);
      queue.push(needed);
    }
  }
  return [...found]
    .filter((position) => position !== n && cuts(readMark(graph, position)))
    .sort((a, b) => a - b);
}

/**
 * Those that wait for one of `positions` and were dispatched, but have no job yet, or could not get one: they have to
 * wait again.
 */
export function findRecalledSubRuns(graph: Graph, positions: readonly number[]): number[] {
  const dependents = listDependents(listEdges(graph));
  const found = new Set(positions.flatMap((n) => dependents[n] ?? []));
  return [...found].filter((n) => 'dw'.includes(readMark(graph, n))).sort((a, b) => a - b);
}

/**
 * Skipped by the dispatcher and, through whatever chain, because of one of `positions`: a rerun
 * gives them another chance.
 */
export function findRevivedSubRuns(graph: Graph, positions: readonly number[]): number[] {
  const dependents = listDependents(listEdges(graph));
  const found = new Set<number>();
  const queue = [...positions];
  for (let at = 0; at < queue.length; at++) {
    for (const dependent of dependents[queue[at] ?? 0] ?? []) {
      if (
        found.has(dependent) ||
        positions.includes(dependent) ||
        readMark(graph, dependent) !== 'u'
      )
        continue;
      found.add(dependent);
      queue.push(dependent);
    }
  }
  return [...found].sort((a, b) => a - b);
}
