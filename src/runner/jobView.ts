import type { JobContext } from '../../machines/index.ts';
import { currentWorkItem, pendingPrompt, publicStatus } from '../../machines/index.ts';
import type { ActorState } from '../durable/chart.ts';
import type { ActorRow } from '../durable/writer.ts';
import type { Artefact, Insight, Job, JobSummary, PhaseUsage, PhaseVisit } from '../schema/job.ts';
import type { PrMapping, PrState } from '../schema/pr.ts';
import type { RowReader } from '../store/rowReader.ts';
import { leafPaths } from '../durable/step.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A job as lists show it. */
export const summaryOf = (
  state: ActorState<JobContext>,
  row: Pick<ActorRow, 'createdAt' | 'updatedAt' | 'index'>,
): JobSummary => {
  const { context } = state;
  return {
    id: context.id,
    type: context.type,
    status: publicStatus(state),
    phase: context.phase,
    workflowPath: context.workflowPath,
    parentJobId: textOrNull(context.params.parentJobId),
    parked: context.parked,
    ended: row.index.activity === 'ended',
    description: textOf(context.params.description),
    repoSlug: textOrNull(context.params.repoSlug),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
};

interface InsightRow {
  id: string;
  at: number;
  phase: string;
  category: string;
  text: string;
}

/** The job's insights, oldest first. */
export const insightsOf = (rows: RowReader, jobId: string): Insight[] =>
  rows
    .all<InsightRow>('insights', { job_id: jobId }, { order: 'at' })
    .map(({ id, at, phase, category, text }) => ({ id, category, text, phase, at: iso(at) }));

interface ArtefactRow extends Omit<Artefact, 'at'> {
  at: number;
}

/** The job's artefacts, oldest first. */
export const artefactsOf = (rows: RowReader, jobId: string): Artefact[] =>
  rows
    .all<ArtefactRow>('artefacts', { job_id: jobId }, { order: 'at' })
    .map(({ id, kind, title, mime, size, sha256, phase, visit, at }) => ({
      id,
      kind,
      title,
      mime,
      size,
      sha256,
      phase,
      visit,
      at: iso(at),
    }));

interface PrRow {
  forge: string;
  repo: string;
  number: number;
  pr_id: string;
  title: string;
  head: string;
  base: string;
  url: string;
  state: PrState;
  work_item: string | null;
  merged_at: string | null;
}

const prsOf = (rows: RowReader, jobId: string): PrMapping[] =>
  rows.all<PrRow>('pr_mappings', { job_id: jobId }, { order: 'number' }).map((row) => ({
    prId: row.pr_id,
    forge: row.forge,
    repo: row.repo,
    number: row.number,
    title: row.title,
    head: row.head,
    base: row.base,
    url: row.url,
    state: row.state,
    workItem: row.work_item,
    mergedAt: row.merged_at,
  }));

interface UsageRow {
  phase: string;
  visit: number;
  session: number;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
}

const usageOf = (rows: RowReader, jobId: string): PhaseUsage[] =>
  rows.all<UsageRow>('token_usage', { job_id: jobId }, { order: 'visit' }).map((row) => ({
    phase: row.phase,
    visit: row.visit,
    session: row.session,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens, cachedInputTokens: row.cached_input_tokens },
  }));

interface VisitRow {
  visit: number;
  phase: string;
  status: string;
  started_at: number;
  ended_at: number | null;
  sessions: number;
  overlay_hash: string | null;
  outcome: string | null;
  approved_by: string | null;
}

const visitsOf = (rows: RowReader, jobId: string): PhaseVisit[] =>
  rows.all<VisitRow>('phase_visits', { job_id: jobId }, { order: 'visit' }).map((row) => ({
    visit: row.visit,
    phase: row.phase,
    status: row.status,
    startedAt: iso(row.started_at),
    endedAt: isoOrNull(row.ended_at),
    sessions: row.sessions,
    overlayHash: row.overlay_hash,
    outcome: row.outcome,
    approvedBy: row.approved_by,
  }));

/** An inbox item as stored; machines/rules turn a range of them into one prompt. */
export interface InboxItemRow {
  n: number;
  id: string;
  at: number;
  kind: string;
  author: string;
  text: string;
  pr_id: string | null;
  url: string | null;
}

/** Inbox items (from, to], oldest first. */
export const inboxItems = (rows: RowReader, jobId: string, from: number, to: number): InboxItemRow[] =>
  from >= to ? [] : rows.all<InboxItemRow>('inbox_items', { job_id: jobId }, { order: 'n', offset: from, limit: to - from });

/**
 * Whole jobs. A view is made once for each committed state: it is a function of it and of rows that only the job's own
 * steps write, and the kernel hands out another state object after every commit that touches the job.
 */
export class JobViews {
  readonly #rows: RowReader;
  readonly #rowOf: (jobId: string) => ActorRow;
  readonly #views = new WeakMap<ActorState<JobContext>, Job>();

  constructor(rows: RowReader, rowOf: (jobId: string) => ActorRow) {
    this.#rows = rows;
    this.#rowOf = rowOf;
  }

  /** Shared by all who ask for it: not to be changed. */
  of(state: ActorState<JobContext>): Job {
    const view = this.#views.get(state) ?? jobOf(state, this.#rowOf(state.id), this.#rows);
    this.#views.set(state, view);
    return view;
  }
}

/** The whole job, for GET /jobs/:jobId; the legacy names are mirrored here and nowhere else. */
const jobOf = (state: ActorState<JobContext>, row: ActorRow, rows: RowReader): Job => {
  const { context } = state;
  const unread = inboxItems(rows, context.id, context.inbox.drained, context.inbox.arrived);
  const summary = summaryOf(state, row);
  return {
    ...summary,
    tenantId: context.tenantId,
    params: context.params,
    interactive: context.interactive,
    visit: context.visit,
    workItems: context.workItems,
    currentWorkItem: currentWorkItem(context)?.id ?? null,
    prMappings: prsOf(rows, context.id),
    awaitingPrId: context.awaited?.prId ?? null,
    artefacts: artefactsOf(rows, context.id),
    insights: insightsOf(rows, context.id),
    tokenUsage: usageOf(rows, context.id),
    phases: visitsOf(rows, context.id),
    pendingPrompt: pendingPrompt(context.prompt, unread),
    escalationMessage: context.escalationMessage,
    escalationHistory: context.escalationHistory,
    decisionRecords: [],
    workflowPathHistory: context.workflowPathHistory,
    approval:
      context.parked?.kind === 'approval'
        ? { phase: context.phase, shown: context.shown?.sha256 ?? null, artefactId: context.shown?.artefactId ?? null }
        : null,
    subRuns: [],
    aggregatedSiblingInsights: [],
    campaignChildren: [],
    campaignParentId: summary.parentJobId,
    campaignAggregatedInsights: [],
    state: leafPaths(state.value),
    journalLength: state.seq,
  };
};
