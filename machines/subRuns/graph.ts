import type { SubRunInput, SubRunStatus } from '../../src/contract/schema/job/subRun.ts';

/**
 * The status of a sub-run, as one letter, so that a thousand of them fit into a context of 64 KiB:
 * `p` pending, `r` ready, `w` ready but its job could not be created yet (tried again), `d` dispatched without a job yet, `b` dispatched with a job, `o`
 * dispatched by version 1 of this chart (which did not record whether a job exists), `x` asked to
 * stop for a cancel, `k` the same for a skip, `c` complete, `f` failed, `e` escalated, `F` and `E`
 * the same after the campaign has continued in spite of it (they no longer halt anything), `s`
 * skipped by a person, `u` skipped because it cannot be reached.
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

/** The sub-runs of one parent: the same position in every list is the same sub-run. */
export interface Graph {
  names: readonly string[];
  /** Names that each one waits for. While specs are collected they need not be there. */
  dependsOn: readonly (readonly string[])[];
  marks: string;
  /** 1 before any rerun. */
  attempts: readonly number[];
}

export const EMPTY_GRAPH: Graph = { names: [], dependsOn: [], marks: '', attempts: [] };

/** The graph of sub-runs of which none has begun. */
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

/** Neither it nor anything that it starts is in the way of the parent any more. */
export const isTerminalMark = (mark: Mark): boolean => !OPEN.includes(mark);
/** Has a job, or is about to get one. */
export const isRunningMark = (mark: Mark): boolean => RUNNING.includes(mark);
/** Has a job that is not being stopped, as far as is known. */
export const isMarkWithJob = (mark: Mark): boolean => mark === 'b' || mark === 'o';
/** Is being stopped. */
export const isStoppingMark = (mark: Mark): boolean => mark === 'x' || mark === 'k';
/** Failed or escalated: what the failure policy is about. */
export const isBrokenMark = (mark: Mark): boolean =>
  UNDECIDED.includes(mark) || isAcceptedMark(mark);
/** Failed or escalated, and the campaign has not continued in spite of it. */
export const isUndecidedMark = (mark: Mark): boolean => UNDECIDED.includes(mark);
/** Failed or escalated, and the campaign has continued in spite of it. */
export const isAcceptedMark = (mark: Mark): boolean => ACCEPTED.includes(mark);
/** Those that wait for it may begin. */
export const isSatisfyingMark = (mark: Mark): boolean => SATISFYING.includes(mark);

export const hasOnlyTerminalMarks = ({ marks }: Graph): boolean =>
  ![...OPEN].some((mark) => marks.includes(mark));
/** Whether there is an undecided failure. */
export const hasUndecidedMark = ({ marks }: Graph): boolean =>
  [...UNDECIDED].some((mark) => marks.includes(mark));
/** Every failure as one that halts nothing any more. */
export const toAcceptedMarks = (marks: string): string =>
  marks.replaceAll('f', 'F').replaceAll('e', 'E');

/** The graph with some marks changed. */
export function setMarks(graph: Graph, changes: ReadonlyMap<number, Mark>): Graph {
  if (changes.size === 0) return graph;
  const marks = [...graph.marks];
  for (const [n, mark] of changes) marks[n] = mark;
  return { ...graph, marks: marks.join('') };
}

/**
 * Positions of what each sub-run waits for; a name that does not exist is left out. Linear in
 * sub-runs and edges.
 */
export function listEdges({ names, dependsOn }: Pick<Graph, 'names' | 'dependsOn'>): number[][] {
  const position = new Map<string, number>();
  names.forEach((name, n) => void position.set(name, n));
  // Not flatMap: it costs four times as much, and this runs with every event of a campaign.
  return dependsOn.map((needed) => {
    const positions: number[] = [];
    for (const name of needed) {
      const n = position.get(name);
      if (n !== undefined) positions.push(n);
    }
    return positions;
  });
}

/** How many sub-runs have each status. */
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
