import { toStringOrEmpty, toStringOrNull } from '../../src/base/json/untrusted.ts';
import type { ActorState } from '../../src/kernel/chart.ts';
import { foldText } from '../../src/base/text/foldText.ts';
import { MAX_SEARCHED_CHARS } from '../../src/base/limits/jobLimits.ts';
import { readFirstNames } from '../../src/base/json/listLeafPaths.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { Ask, ParkKind } from '../../src/contract/schema/job/job.ts';
import { toEventTime } from '../kit/eventTime.ts';
import type { JobContext, PrRef } from './jobContext.ts';
import { toStatusName } from './rules/toStatusName.ts';
import type { EventWait } from './eventWait.ts';
import { mayWakeBy } from './rules/wakeMatch.ts';

/** What happens to a pull request because of a person: a review, a comment, its end. */
const BY_A_PERSON = [
  'approved',
  'changes_requested',
  'commented',
  'review_thread',
  'merged',
  'closed',
  'reopened',
] as const;

/**
 * Whether a job waits for what only a person does to one of its open pull requests. Waits for CI
 * alone (`check_passed`, `check_failed`, `conflict`) do not count, nor do pull requests blocked
 * until a person looks at a problem.
 */
function isAwaitingReview(
  { kinds, external }: Pick<EventWait, 'kinds' | 'external'>,
  prs: readonly Pick<PrRef, 'state' | 'blocked'>[],
): boolean {
  if (external !== undefined || !BY_A_PERSON.some((kind) => mayWakeBy(kinds, kind))) return false;
  return prs.some(({ state, blocked }) => state === 'open' && blocked?.asks !== true);
}

type ListRow = Tables['job_list'];

/** Most characters of a title that count when the list is sorted by it. */
const MAX_SORTED_CHARS = 200;

/** What a person is asked for in each kind of parking that only a person can end. */
const ASKS: Readonly<Partial<Record<ParkKind, Ask>>> = {
  approval: 'approval',
  developer: 'input',
  external: 'external',
  flagged: 'input',
  halted: 'halted',
};

/**
 * A person must raise a budget without a next window, repair some outages, look at a wait that
 * cannot end, or review a pull request.
 */
const deriveJobAsk = (
  { kind, until, needsPerson }: NonNullable<JobContext['parked']>,
  { awaited, prs }: Pick<JobContext, 'awaited' | 'prs'>,
): Ask | null => {
  if (kind === 'budget' && until === undefined) return 'budget';
  if (needsPerson === true) return 'input';
  if (kind === 'event' && awaited !== null && isAwaitingReview(awaited, prs)) return 'review';
  return ASKS[kind] ?? null;
};

/** The state of the job itself, before anything that people decide about it in the list. */
function deriveListState({ value, context }: Pick<ActorState, 'value'> & { context: JobContext }): {
  state: ListRow['state'];
  ask: ListRow['ask'];
} {
  const [top, leaf] = readFirstNames(value);
  if (top !== 'ended') {
    if (context.parked) return { state: 'waiting', ask: deriveJobAsk(context.parked, context) };
    return { state: top === 'queued' ? 'queued' : 'working', ask: null };
  }
  if (leaf === 'failed' || leaf === 'escalated') return { state: 'failed', ask: leaf };
  if (leaf !== 'complete') return { state: 'cancelled', ask: null };
  const { failed, escalated } = context.subRunFailures;
  return {
    state: failed + escalated > 0 ? 'partial' : 'complete',
    ask: context.prs.some(({ state }) => state === 'open') ? 'open-pr' : null,
  };
}

/**
 * The inputs of the row, cheap to compare at every step. Not memoized by the state: a `WeakMap` of many objects costs the
 * garbage collector more than this does.
 */
function deriveListSource({ value, context: rawContext }: ActorState) {
  const context = rawContext as JobContext;
  const { state, ask } = deriveListState({ value, context });
  return {
    state,
    ask,
    waits: context.parked?.since ?? null,
    status: toStatusName(value, context),
    phase: context.phase,
    workflow: context.workflowPath,
    description: toStringOrEmpty(context.params.description),
    repo: toStringOrNull(context.params.repoSlug),
    reason: context.parked?.reason ?? context.escalationMessage ?? '',
  };
}

type ListSource = ReturnType<typeof deriveListSource>;

const isSameText = (was: ListSource, now: ListSource): boolean =>
  was.description === now.description &&
  was.repo === now.repo &&
  was.phase === now.phase &&
  was.status === now.status &&
  was.workflow === now.workflow &&
  was.reason === now.reason;

/** What a search in the list finds. */
const buildSearchedText = (
  id: string,
  { description, repo, phase, status, workflow, reason }: ListSource,
): string =>
  foldText(
    [id, description.slice(0, MAX_SEARCHED_CHARS), repo, phase, status, workflow, reason].join(
      '\n',
    ),
  );

const deriveSortTitle = (id: string, { description }: ListSource) =>
  foldText(description.split('\n', 1)[0]?.trim() || id).slice(0, MAX_SORTED_CHARS);

/** The job's row in the list, if a step changed it. A dismissal ends with what was dismissed. */
export function buildListRows(
  before: ActorState | undefined,
  after: ActorState,
  event: { at?: number },
): RowChange<'job_list'>[] {
  const context = after.context as JobContext;
  const { id } = context;
  const now = deriveListSource(after);
  const { state, ask, status, phase, workflow, repo } = now;
  const at = toEventTime(context, event);
  const since = now.waits === null ? at : Date.parse(now.waits);
  if (before === undefined) {
    const row = {
      job_id: id,
      parent: toStringOrNull(context.params.parentJobId),
      kind: context.type,
      status,
      state,
      ask,
      since,
      dismissed_at: null,
      repo,
      workflow,
      phase,
      title: deriveSortTitle(id, now),
      created_at: at,
      text: buildSearchedText(id, now),
    };
    return [{ op: 'put', table: 'job_list', row }];
  }
  const was = deriveListSource(before);
  const set: Partial<ListRow> =
    was.state === state && was.ask === ask && was.waits === now.waits
      ? {}
      : { state, ask, since, dismissed_at: null };
  if (was.status !== status) set.status = status;
  if (was.phase !== phase) set.phase = phase;
  if (was.workflow !== workflow) set.workflow = workflow;
  if (was.repo !== repo) set.repo = repo;
  if (was.description !== now.description) set.title = deriveSortTitle(id, now);
  if (!isSameText(was, now)) set.text = buildSearchedText(id, now);
  return Object.keys(set).length === 0
    ? []
    : [{ op: 'patch', table: 'job_list', key: { job_id: id }, set }];
}
