import { edgesOf, type Graph, isBroken, isRunning, type Mark, markAt, satisfies, withMarks } from './graph.ts';
import type { FailurePolicy } from '../../src/schema/workflow.ts';

/** How far a campaign may go by itself. */
export interface Rules {
  /** Sub-runs with a job at once. */
  cap: number;
  policy: FailurePolicy;
  /** Whether somebody can decide about a failure. */
  attended: boolean;
  /** Position from which on a failure halts; what waits for an earlier one is skipped. */
  roundFrom: number;
}

/** Why a sub-run was skipped by the dispatcher: the name of the one that failed, or that nobody can decide. */
export interface Unreachable {
  n: number;
  because: string;
}

export interface Advance {
  graph: Graph;
  /** Those that begin now, oldest registration first. */
  dispatched: number[];
  /** Those that became or ceased to be ready. */
  ready: number[];
  waiting: number[];
  unreachable: Unreachable[];
  /** A failure under `halt-on-failure`: nothing more begins until a person has decided. */
  halted: boolean;
}

/**
 * The dispatcher's loop, once (SUB-2): the failure policy, the ready set, up to the cap. Values in, values out; linear in
 * sub-runs and edges. With `hold` nothing begins.
 */
export function advance(graph: Graph, { cap, policy, attended, roundFrom }: Rules, hold = false): Advance {
  const edges = edgesOf(graph);
  const marks = [...graph.marks] as Mark[];
  const failed = marks.findIndex((mark, n) => n >= roundFrom && isBroken(mark));
  const halts = failed >= 0 && policy === 'halt-on-failure';
  const unreachable: Unreachable[] = [];

  const drop = (n: number, because: string) => {
    marks[n] = 'u';
    unreachable.push({ n, because });
  };
  if (halts && !attended) {
    const because = `${graph.names[failed]} failed and nobody is there to decide`;
    marks.forEach((mark, n) => {
      if (mark === 'p' || mark === 'r') drop(n, because);
    });
  }
  skipUnreachable(graph, edges, marks, policy === 'continue' ? marks.length : roundFrom, drop);

  const ready: number[] = [];
  const waiting: number[] = [];
  marks.forEach((mark, n) => {
    if (mark !== 'p' && mark !== 'r') return;
    const free = (edges[n] ?? []).every((needed) => satisfies(marks[needed] ?? 'p'));
    if (free === (mark === 'r')) return;
    marks[n] = free ? 'r' : 'p';
    (free ? ready : waiting).push(n);
  });

  const dispatched: number[] = [];
  const halted = halts && attended;
  if (!hold && !halted) {
    let free = cap - marks.filter(isRunning).length;
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
    if (mark !== markAt(graph, n)) changes.set(n, mark);
  });
  return {
    graph: withMarks(graph, changes),
    dispatched,
    ready: ready.filter((n) => !begins.has(n)),
    waiting,
    unreachable,
    halted,
  };
}

/**
 * Skips everything that waits, through whatever chain, for one before `skipBefore` that failed, or, wherever it stands, for one
 * that the dispatcher has skipped before: what a person runs again must not wait for that for ever. Each names the one at the
 * beginning of the chain.
 */
function skipUnreachable(
  { names }: Graph,
  edges: readonly (readonly number[])[],
  marks: readonly Mark[],
  skipBefore: number,
  drop: (n: number, because: string) => void,
): void {
  if (!marks.some((mark) => mark === 'u' || isBroken(mark))) return;
  const dependents = dependentsOf(edges);
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
    if (n < skipBefore && isBroken(mark)) skipAfter(n, mark === 'e' ? 'escalated' : 'failed');
  });
  marks.forEach((mark, n) => {
    if (mark === 'u' && !known.has(n)) skipAfter(n, 'is skipped');
  });
}

/** For each sub-run those that wait for it. */
export function dependentsOf(edges: readonly (readonly number[])[]): number[][] {
  const dependents: number[][] = edges.map(() => []);
  edges.forEach((needed, n) => {
    for (const other of needed) dependents[other]?.push(n);
  });
  return dependents;
}

/** Skipped by the dispatcher and, through whatever chain, only because of `n`: a rerun of `n` gives them another chance. */
export function revivedBy(graph: Graph, n: number): number[] {
  const edges = edgesOf(graph);
  const dependents = dependentsOf(edges);
  const found = new Set<number>();
  const queue = [n];
  for (let at = 0; at < queue.length; at++) {
    for (const dependent of dependents[queue[at] ?? n] ?? []) {
      if (found.has(dependent) || markAt(graph, dependent) !== 'u') continue;
      found.add(dependent);
      queue.push(dependent);
    }
  }
  return [...found].sort((a, b) => a - b);
}
