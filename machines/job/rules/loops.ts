import {
  DEFAULT_LOOP_LIMITS,
  LOOP_RULES,
  type LoopLimits,
  type LoopRule,
} from '../../../src/base/limits/loopLimits.ts';
import type { DetectedLoop } from '../../../src/contract/schema/session/detectedLoop.ts';
import type { JobContext } from '../jobContext.ts';
import type { LoopMark, Progress } from '../progress.ts';
import { findNextPhase } from './phases.ts';
import { sha256 } from './sha256.ts';

/** Most fingerprints kept; a loop over more visits is not detected. */
export const MAX_LOOP_MARKS = 40;
/** Digits of a fingerprint. */
const HASH_DIGITS = 16;

export const NO_PROGRESS_KNOWN: Progress = { marks: [], wakes: 0 };

export type LoopContext = Pick<
  JobContext,
  | 'workflow'
  | 'workflowPath'
  | 'phase'
  | 'visit'
  | 'prs'
  | 'workItems'
  | 'params'
  | 'subRuns'
  | 'subRunFailures'
  | 'signals'
> & {
  approvals: Pick<JobContext['approvals'], 'subRuns'>;
  limits: { progress?: LoopLimits };
  progress?: Progress | undefined;
};

const hashLoopParts = (parts: unknown): string =>
  sha256(JSON.stringify(parts)).slice(0, HASH_DIGITS);

/** Everything that work changes, as far as known; null = the files are unknown. */
function collectWorkState(context: LoopContext, { work, posted }: Progress): unknown[] | null {
  if (work === undefined) return null;
  const { workflowPath, phase, prs, workItems, params, subRuns, subRunFailures } = context;
  return [
    workflowPath,
    phase,
    work,
    posted ?? null,
    prs.map(({ prId, state }) => [prId, state]),
    workItems.map(({ id, status }) => [id, status]),
    params,
    subRuns,
    subRunFailures,
    context.approvals.subRuns,
  ];
}

/** Only the completion gate follows, which counts its own blocks. */
const isGateNext = ({ signals, workflow, phase }: LoopContext): boolean =>
  signals.goto === null && signals.switch === null && findNextPhase(workflow, phase) === undefined;

interface Fingerprint {
  rule: LoopRule;
  hash: string;
  what?: string;
}

/** The fingerprints under which this end of a visit is counted. */
function computeLoopFingerprints(context: LoopContext, end: 'over' | 'waits'): Fingerprint[] {
  const progress = context.progress ?? NO_PROGRESS_KNOWN;
  const { failing, woke, wakes } = progress;
  const state = collectWorkState(context, progress);
  const loops: Fingerprint[] = [];
  // A loop through an event is counted once, when the job waits again.
  if (end === 'over' && state !== null)
    loops.push({ rule: 'state', hash: hashLoopParts(['state', ...state, wakes]) });
  if (failing)
    loops.push({
      rule: 'tests',
      hash: hashLoopParts(['tests', context.phase, failing.hash]),
      what: failing.first,
    });
  if (end === 'waits' && state !== null && woke !== undefined)
    loops.push({ rule: 'wakes', hash: hashLoopParts(['wakes', ...state, woke]), what: woke });
  return loops;
}

/** The phases visited since the fingerprint was last met. */
function listLoopPhases(
  marks: readonly LoopMark[],
  before: LoopMark | undefined,
  phase: string,
): string[] {
  if (!before) return [phase];
  const between = marks
    .filter(({ visit }) => visit > before.visit)
    .toSorted((a, b) => a.visit - b.visit);
  const phases = new Map(between.map((mark) => [mark.visit, mark.phase]));
  return [...phases.values(), phase];
}

/** The end of a visit, counted. */
export interface CountedVisit {
  progress: Progress;
  /** Rules whose warning is due now, once per fingerprint. */
  warned: DetectedLoop[];
}

/**
 * Counts a visit that ends. `waits`: the agent awaits an event; `over`: the next phase follows.
 * `progress.circle` is set if a rule parks the job.
 */
export function countVisit(context: LoopContext, end: 'over' | 'waits'): CountedVisit {
  const { circle: _over, ...known } = context.progress ?? NO_PROGRESS_KNOWN;
  if (end === 'over' && isGateNext(context)) return { progress: known, warned: [] };
  const limits = context.limits.progress ?? DEFAULT_LOOP_LIMITS;
  const { phase, visit } = context;
  let { marks } = known;
  const warnings: DetectedLoop[] = [];
  const parkLoops: DetectedLoop[] = [];
  for (const { rule, hash, what } of computeLoopFingerprints(context, end)) {
    const before = known.marks.find((mark) => mark.rule === rule && mark.hash === hash);
    const times = (before?.count ?? 0) + 1;
    const loop: DetectedLoop = {
      rule,
      times,
      phases: listLoopPhases(known.marks, before, phase),
      ...(what === undefined ? {} : { what }),
    };
    const { warn, park } = limits[rule];
    if (park > 0 && times >= park) parkLoops.push(loop);
    else if (times === warn) warnings.push(loop);
    marks = [
      ...marks.filter((mark) => mark !== before),
      { rule, hash, phase, visit, count: times },
    ].slice(-MAX_LOOP_MARKS);
  }
  const [loop] = parkLoops.toSorted(
    (a, b) => LOOP_RULES.indexOf(a.rule) - LOOP_RULES.indexOf(b.rule),
  );
  const { woke, ...rest } = known;
  const next = end === 'over' && woke !== undefined ? { ...rest, woke } : rest;
  return { progress: { ...next, marks, ...(loop ? { circle: loop } : {}) }, warned: warnings };
}

/** Restarts the count: a person acted, or something was finished. */
export function resetLoops({ progress }: Pick<JobContext, 'progress'>): Partial<JobContext> {
  if (!progress || (progress.marks.length === 0 && progress.note === undefined)) return {};
  const { circle: _loop, note: _note, ...rest } = progress;
  return { progress: { ...rest, marks: [] } };
}

/** Kinds of events that people cause or that end the work on a pull request. */
const OF_PEOPLE: ReadonlySet<string> = new Set([
  'approved',
  'changes_requested',
  'commented',
  'review_thread',
  'merged',
  'closed',
  'reopened',
]);

/** The loops after an event of this kind. */
export const resetLoopsAfterEvent = (
  context: Pick<JobContext, 'progress'>,
  kind: string,
): Partial<JobContext> => (OF_PEOPLE.has(kind) ? resetLoops(context) : {});

const listClosedItemIds = (items: JobContext['workItems']): string[] =>
  items.filter(({ status }) => status === 'complete' || status === 'escalated').map(({ id }) => id);

/** The loops after this change of work items: a closed item is progress. */
export function resetLoopsAfterItems(
  context: Pick<JobContext, 'progress' | 'workItems'>,
  items: JobContext['workItems'],
): Partial<JobContext> {
  const before = new Set(listClosedItemIds(context.workItems));
  return listClosedItemIds(items).some((id) => !before.has(id)) ? resetLoops(context) : {};
}

/** What the rules know when a visit begins; `wokenBy`: the event that woke the job. */
export function beginVisitProgress(
  progress: Progress | undefined,
  wokenBy: string | undefined,
): { progress?: Progress } {
  if (!progress && wokenBy === undefined) return {};
  const { failing: _f, posted: _p, circle: _c, ...rest } = progress ?? NO_PROGRESS_KNOWN;
  return {
    progress: wokenBy === undefined ? rest : { ...rest, wakes: rest.wakes + 1, woke: wokenBy },
  };
}

export const recordPosted = (
  { progress = NO_PROGRESS_KNOWN }: Pick<JobContext, 'progress'>,
  what: string,
): Partial<JobContext> => ({
  progress: { ...progress, posted: hashLoopParts([progress.posted ?? null, what]) },
});
