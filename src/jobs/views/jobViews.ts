import {
  collectApprovalContent,
  hashApprovalContent,
  findCurrentWorkItem,
  MAX_BATCH_ITEMS,
  buildPendingPrompt,
  mustNameVersion,
  type JobContext,
} from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { BrokenRows } from '../../kernel/sqlite/broken/brokenRows.ts';
import type { ListedJob } from '../store/queries/toListedJob.ts';
import type { Approval } from '../../contract/schema/job/approval.ts';
import type { Insight, Job } from '../../contract/schema/job/job.ts';
import type { SubRunSpec } from '../../contract/schema/job/subRun.ts';
import { listDecisionRecords } from './listDecisionRecords.ts';
import type { LastOutputs } from './history/lastOutputs.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import { mergeForwardedInsights } from './mergeForwardedInsights.ts';
import { listSiblingInsights, listSubRunSpecs } from './listSubRunSpecs.ts';
import {
  pickJobCost,
  isCost,
  pickSnoozed,
  shortenJobReason,
  toJobSummary,
  toNeeds,
} from './list/jobSummary.ts';
import {
  listJobArtefacts,
  countUnreportedSessions,
  listInboxItems,
  listJobInsights,
  isInboxItemOpen,
  listPrMappings,
  readJobSandboxes,
  listPhaseUsage,
  listPhaseVisits,
} from './jobRows.ts';

type CheckoutAt = (jobId: string, dir: string) => string | null;

export interface JobViewsDeps {
  rows: RowReader;
  readListed(jobId: string): ListedJob;
  /** Why no queued job starts now; null, the default = they do. */
  shut?(): string | null;
  /**
   * Absolute path of a job's checkout, from its folder name; null = no valid name. The home may
   * have moved since the job recorded the path. Default: as recorded.
   */
  checkoutAt?: CheckoutAt;
  /** What agents wrote last before a failure; default: not shown. */
  lastOutputs?: Pick<LastOutputs, 'toLastOutputMember'>;
  /** Collects unreadable rows while something is read; default: none. */
  broken?: Pick<BrokenRows, 'collect'>;
}

/**
 * Whole jobs. A view is built once per committed state: it depends on that state and on rows that
 * only the job's own steps write (except whether it needs a person, and its cost), and the kernel
 * returns a new state object after every commit that touches the job.
 */
export class JobViews {
  readonly #deps: JobViewsDeps;
  readonly #views = new WeakMap<ActorState<JobContext>, Job>();

  constructor(deps: JobViewsDeps) {
    this.#deps = deps;
  }

  /** Shared by all callers: do not change it. */
  of(state: ActorState<JobContext>): Job {
    const listedJob = this.#deps.readListed(state.id);
    const slotReason = listedJob.state === 'queued' ? (this.#deps.shut?.() ?? null) : null;
    // The sub-runs of a parent change without a step of the parent.
    if (state.context.subRuns !== null) return this.#buildJob(state, listedJob, slotReason);
    const cachedView = this.#views.get(state);
    // Whether it needs a person, and whether slots are given, does not depend on the job alone.
    const isSame =
      cachedView &&
      this.#isConfined(cachedView) &&
      (listedJob.state !== 'queued' || cachedView.reason === shortenJobReason(slotReason));
    const isAsked =
      (cachedView?.needs?.ask ?? null) === listedJob.ask &&
      cachedView?.snoozed?.until === pickSnoozed(listedJob).snoozed?.until;
    if (isSame && isAsked && isCost(cachedView, listedJob)) return cachedView;
    const view = isSame
      ? {
          ...omitSnoozed(cachedView),
          needs: toNeeds(listedJob),
          ...pickSnoozed(listedJob),
          ...pickJobCost(listedJob),
        }
      : this.#buildJob(state, listedJob, slotReason);
    this.#views.set(state, view);
    return view;
  }

  #buildJob(state: ActorState<JobContext>, listedJob: ListedJob, slotReason: string | null): Job {
    const { rows, broken, lastOutputs, checkoutAt } = this.#deps;
    const job = collectBrokenRows(broken, () => {
      const whole = buildWholeJob(state, listedJob, rows, slotReason);
      return { ...whole, ...lastOutputs?.toLastOutputMember(whole) };
    });
    if (checkoutAt === undefined) return job;
    const { repoCheckoutDir: dir } = job.params;
    const absDir = typeof dir === 'string' ? checkoutAt(job.id, dir) : null;
    if (absDir !== null) return { ...job, params: { ...job.params, repoCheckoutAbsDir: absDir } };
    const { repoCheckoutAbsDir: _recorded, ...params } = job.params;
    return { ...job, params };
  }

  /**
   * The confinement of a session is written when the session begins, which is not a step of the job.
   */
  #isConfined({ id, sandboxes = [] }: Job): boolean {
    return this.#deps.rows.count('session_sandboxes', { job_id: id }) === sandboxes.length;
  }
}

const omitSnoozed = ({ snoozed: _, ...job }: Job): Job => job;

/** Adds the unreadable rows that were met while the job was read. */
function collectBrokenRows(
  brokenRows: Pick<BrokenRows, 'collect'> | undefined,
  read: () => Job,
): Job {
  if (!brokenRows) return read();
  const { value: job, listMet: met } = brokenRows.collect(read);
  const all = [...(job.broken ?? []), ...met()];
  const once = [...new Map(all.map((row) => [`${row.table}/${row.id}`, row])).values()];
  return once.length === 0 ? job : { ...job, broken: once };
}

/** The whole job, for GET /jobs/:jobId; the only place that adds the legacy names. */
const buildWholeJob = (
  state: ActorState<JobContext>,
  listedJob: ListedJob,
  rows: RowReader,
  slotReason: string | null,
): Job => {
  const { context } = state;
  const { arrived, drained } = context.inbox;
  const unread = listInboxItems(
    rows,
    context.id,
    drained,
    Math.min(arrived, drained + MAX_BATCH_ITEMS),
  ).filter(isInboxItemOpen);
  const summary = toJobSummary(listedJob, slotReason);
  const subRuns = context.subRuns === null ? [] : listSubRunSpecs(rows, context.id);
  const handedOn = listHandedOnInsights(context, subRuns, rows);
  return {
    ...summary,
    tenantId: context.tenantId,
    params: context.params,
    interactive: context.interactive,
    visit: context.visit,
    workItems: context.workItems,
    currentWorkItem: findCurrentWorkItem(context)?.id ?? null,
    prMappings: listPrMappings(rows, context.id),
    awaitingPrId: context.awaited?.prId ?? null,
    artefacts: listJobArtefacts(rows, context.id),
    insights: listJobInsights(rows, context.id),
    tokenUsage: listPhaseUsage(rows, context.id),
    unreported: countUnreportedSessions(rows, context.id),
    ...readJobSandboxes(rows, context.id),
    phases: listPhaseVisits(rows, context.id),
    pendingPrompt: buildPendingPrompt(context.prompt, unread),
    escalationMessage: context.escalationMessage,
    escalationHistory: context.escalationHistory,
    decisionRecords: listDecisionRecords(rows, context.id),
    workflowPathHistory: context.workflowPathHistory,
    approval: context.parked?.kind === 'approval' ? toApprovalView(context, subRuns) : null,
    subRuns,
    aggregatedSiblingInsights: handedOn,
    campaignChildren: subRuns,
    campaignParentId: summary.parentJobId,
    campaignAggregatedInsights: handedOn,
    state: listLeafPaths(state.value),
    journalLength: state.seq,
  };
};

const toApprovalView = (context: JobContext, subRuns: readonly SubRunSpec[]): Approval => {
  const { phase, plan, workItems, follows } = collectApprovalContent(context);
  return {
    phase,
    shown: hashApprovalContent(context),
    shownRequired: mustNameVersion(context, { eventKey: 'approve' }),
    artefactId: plan?.artefactId ?? null,
    covers: { plan, workItems, follows, subRuns: subRuns.map(({ name }) => name) },
  };
};

/**
 * Insights of others: a sub-run gets those that its siblings had when it was dispatched, a parent
 * those of all its sub-runs.
 */
const listHandedOnInsights = (
  context: JobContext,
  subRuns: readonly SubRunSpec[],
  rows: RowReader,
): Insight[] => {
  const siblings = context.subRunOf === null ? [] : listSiblingInsights(rows, context.id);
  if (subRuns.length === 0) return siblings;
  return mergeForwardedInsights([
    siblings,
    ...subRuns.map(({ jobId }) => (jobId === null ? [] : listJobInsights(rows, jobId))),
  ]);
};
