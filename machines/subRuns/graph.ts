import type { SubRunInput, SubRunStatus } from '../../src/contract/schema/job/subRun.ts';

/**
 * A sub-run's status as one letter, so that a thousand fit into 64 KiB: `p` pending, `r` ready, `w`
 * ready but its job could not be created yet (retried), `d` dispatched without a job yet, `b`
 * dispatched with a job, `o` dispatched by version 1 of this chart (which did not record whether a
 * job exists), `x` being stopped for a cancel, `k` being stopped for a skip, `c` complete, `f`
 * failed, `e` escalated, `F` and `E` the same after the campaign continued despite it (they halt
 * nothing), `s` skipped by a person, `u` skipped because it is unreachable.
 */
export type Mark =
  | 'p'
  | 'r'
  | 'w'
  | 'd'
  | 'b'
  | 'o'
  | 'x'
  | 'k'
  | 'c'
  | 'f'
  | 'e'
  | 'F'
  | 'E'
  | 's'
  | 'u';

const STATUS: Readonly<Record<Mark, SubRunStatus>> = {
  p: 'pending',
  r: 'ready',
  w: 'ready',
  d: 'dispatched',
  b: 'dispatched',
  o: 'dispatched',
  x: 'dispatched',
  k: 'dispatched',
  c: 'complete',
  f: 'failed',
  e: 'escalated',
  F: 'failed',
  E: 'escalated',
  s: 'skipped',
  u: 'skipped',
};

/** The sub-runs of one parent; a position means the same sub-run in every list. */
export interface Graph {
  names: readonly string[];
  /** Names that each one waits for. While specs are collected these may not exist yet. */
  dependsOn: readonly (readonly string[])[];
  marks: string;
  /** Number of the run; 1 before any rerun. */
  attempts: readonly number[];
}

export const EMPTY_GRAPH: Graph = { names: [], dependsOn: [], marks: '', attempts: [] };

/** A graph in which nothing has begun. */
export const createGraph = (specs: readonly Pick<SubRunInput, 'name' | 'dependsOn'>[]): Graph => ({
  names: specs.map(({ name }) => name),
  dependsOn: specs.map(({ dependsOn = [] }) => dependsOn),
  marks: specs.map((): Mark => 'p').join(''),
  attempts: specs.map(() => 1),
});

export const readMark = ({ marks }: Graph, n: number): Mark => {
  const mark = marks[n];
  if (mark === undefined) throw new Error(`there is no sub-run ${n}`);
  return mark as Mark;
};

export const toSubRunStatus = (mark: Mark): SubRunStatus => STATUS[mark];

const OPEN = 'prwdboxk';
const RUNNING = 'dboxk';
const UNDECIDED = 'fe';
const ACCEPTED = 'FE';
const SATISFYING = 'cs';

/** The sub-run and anything it starts no longer hold up the parent. */
export const isTerminalMark = (mark: Mark): boolean => !OPEN.includes(mark);
/** Has a job or is about to get one. */
export const isRunningMark = (mark: Mark): boolean => RUNNING.includes(mark);
/** Has a job that is not being stopped, as far as known. */
export const isMarkWithJob = (mark: Mark): boolean => mark === 'b' || mark === 'o';
export const isStoppingMark = (mark: Mark): boolean => mark === 'x' || mark === 'k';
/** Failed or escalated: subject to the failure policy. */
export const isBrokenMark = (mark: Mark): boolean =>
  UNDECIDED.includes(mark) || isAcceptedMark(mark);
/** Failed or escalated, and still to be decided. */
export const isUndecidedMark = (mark: Mark): boolean => UNDECIDED.includes(mark);
/** Failed or escalated, and the campaign continued despite it. */
export const isAcceptedMark = (mark: Mark): boolean => ACCEPTED.includes(mark);
/** Its dependents may begin. */
export const isSatisfyingMark = (mark: Mark): boolean => SATISFYING.includes(mark);

export const hasOnlyTerminalMarks = ({ marks }: Graph): boolean =>
  ![...OPEN].some((mark) => marks.includes(mark));
export const hasUndecidedMark = ({ marks }: Graph): boolean =>
  [...UNDECIDED].some((mark) => marks.includes(mark));
/** Turns every failure into one that halts nothing. */
export const toAcceptedMarks = (marks: string): string =>
  marks.replaceAll('f', 'F').replaceAll('e', 'E');

export function setMarks(graph: Graph, changes: ReadonlyMap<number, Mark>): Graph {
  if (changes.size === 0) return graph;
  const marks = [...graph.marks];
  for (const [n, mark] of changes) marks[n] = mark;
  return { ...graph, marks: marks.join('') };
}

/** Positions of each sub-run's known dependencies. Linear in sub-runs and edges. */
export function listEdges({ names, dependsOn }: Pick<Graph, 'names' | 'dependsOn'>): number[][] {
  const position = new Map<string, number>();
  names.forEach((name, n) => void position.set(name, n));
  // Not flatMap: it takes four times as long, and this runs with every event of a campaign.
  return dependsOn.map((dependency) => {
    const positions: number[] = [];
    for (const name of dependency) {
      const n = position.get(name);
      if (n !== undefined) positions.push(n);
    }
    return positions;
  });
}

export function countStatuses({ marks }: Graph): Record<SubRunStatus, number> {
  const counts: Record<SubRunStatus, number> = {
    pending: 0,
    ready: 0,
    dispatched: 0,
    complete: 0,
    failed: 0,
    escalated: 0,
    skipped: 0,
  };
  for (const mark of marks) counts[STATUS[mark as Mark]] += 1;
  return counts;
}
