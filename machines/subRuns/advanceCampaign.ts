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

export interface CampaignRules {
  /** Most sub-runs with a job at once. */
  cap: number;
  policy: FailurePolicy;
}

/** A sub-run that the dispatcher skips, and the failed one it waits for. */
export interface UnreachableSubRun {
  n: number;
  because: string;
}

export interface CampaignAdvance {
  graph: Graph;
  /** Positions that begin now, in order of registration. */
  dispatched: number[];
  /** Positions that became or ceased to be ready. */
  ready: number[];
  waiting: number[];
  unreachable: UnreachableSubRun[];
  /** `halt-on-failure` met a failure: nothing more begins until a person decides. */
  halted: boolean;
}

/**
 * One pass of the dispatcher's loop (SUB-2): failure policy, ready set, dispatch up to the cap.
 * Pure; linear in sub-runs and edges. With `hold` nothing begins.
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
    const free = (edges[n] ?? []).every((dependency) => isSatisfyingMark(marks[dependency] ?? 'p'));
    if (free === (mark === 'r')) return;
    marks[n] = free ? 'r' : 'p';
    (free ? ready : waiting).push(n);
  });

  const dispatchedPositions: number[] = [];
  if (!hold && !halted) {
    let free = cap - marks.filter(isRunningMark).length;
    for (let n = 0; n < marks.length && free > 0; n++) {
      if (marks[n] !== 'r') continue;
      marks[n] = 'd';
      dispatchedPositions.push(n);
      free -= 1;
    }
  }
  const begins = new Set(dispatchedPositions);
  const changes = new Map<number, Mark>();
  marks.forEach((mark, n) => {
    if (mark !== readMark(graph, n)) changes.set(n, mark);
  });
  return {
    graph: setMarks(graph, changes),
    dispatched: dispatchedPositions,
    ready: ready.filter((n) => !begins.has(n)),
    waiting,
    unreachable,
    halted,
  };
}

/**
 * Skips everything that waits, directly or not, for a failure that nothing will decide (`cuts`) or
 * for a sub-run skipped before: a rerun must not wait for that forever. Each names the start of its
 * chain.
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
  const visited = new Set<number>();
  const skipAfter = (root: number, what: string) => {
    const queue = [root];
    for (let at = 0; at < queue.length; at++) {
      for (const dependent of dependents[queue[at] ?? root] ?? []) {
        const mark = marks[dependent];
        if (visited.has(dependent) || (mark !== 'p' && mark !== 'r' && mark !== 'u')) continue;
        visited.add(dependent);
        if (mark !== 'u') drop(dependent, `waits for ${names[root]}, which ${what}`);
        queue.push(dependent);
      }
    }
  };
  marks.forEach((mark, n) => {
    if (cuts(mark)) skipAfter(n, mark === 'e' || mark === 'E' ? 'escalated' : 'failed');
  });
  marks.forEach((mark, n) => {
    if (mark === 'u' && !visited.has(n)) skipAfter(n, 'is skipped');
  });
}

/** The direct dependents of each sub-run. */
export function listDependents(edges: readonly (readonly number[])[]): number[][] {
  const dependents: number[][] = edges.map(() => []);
  edges.forEach((dependencies, n) => {
    for (const other of dependencies) dependents[other]?.push(n);
  });
  return dependents;
}

/**
 * What must rerun with `n`, which would else be skipped at once: the failures it waits for, through
 * any chain of failed and skipped ones. `cuts`: the failures that stay undecided; default all.
 */
export function findFailuresBefore(
  graph: Graph,
  n: number,
  cuts: (mark: Mark) => boolean = isBrokenMark,
): number[] {
  const edges = listEdges(graph);
  const affectedPositions = new Set<number>([n]);
  const queue = [n];
  for (let at = 0; at < queue.length; at++) {
    for (const dependency of edges[queue[at] ?? n] ?? []) {
      const mark = readMark(graph, dependency);
      if (affectedPositions.has(dependency) || !(cuts(mark) || mark === 'u')) continue;
      affectedPositions.add(dependency);
      queue.push(dependency);
    }
  }
  return [...affectedPositions]
    .filter((position) => position !== n && cuts(readMark(graph, position)))
    .sort((a, b) => a - b);
}

/** Dependents of `positions` that were dispatched but have no job yet: they wait again. */
export function findRecalledSubRuns(graph: Graph, positions: readonly number[]): number[] {
  const dependents = listDependents(listEdges(graph));
  const blockedPositions = new Set(positions.flatMap((n) => dependents[n] ?? []));
  return [...blockedPositions]
    .filter((n) => 'dw'.includes(readMark(graph, n)))
    .sort((a, b) => a - b);
}

/** Sub-runs that the dispatcher skipped because of `positions`: a rerun revives them. */
export function findRevivedSubRuns(graph: Graph, positions: readonly number[]): number[] {
  const dependents = listDependents(listEdges(graph));
  const subRunNames = new Set<number>();
  const queue = [...positions];
  for (let at = 0; at < queue.length; at++) {
    for (const dependent of dependents[queue[at] ?? 0] ?? []) {
      if (
        subRunNames.has(dependent) ||
        positions.includes(dependent) ||
        readMark(graph, dependent) !== 'u'
      )
        continue;
      subRunNames.add(dependent);
      queue.push(dependent);
    }
  }
  return [...subRunNames].sort((a, b) => a - b);
}
