import { WAITING_PROPOSALS } from '../../base/agents/proposals.ts';
import type { DurableChart } from '../../kernel/chart.ts';
import type { Kernel } from '../../contract/records/changes.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import {
  compareByWorkflowPath,
  toWorkflowEntry,
} from '../../workflows/definition/discoverWorkflows.ts';
import type { Campaigns } from '../../sessions/subRuns/campaigns.ts';
import { createCommands } from '../../jobs/commands/commands.ts';
import type { RunnerCore } from './core.ts';
import type { CreateJob } from '../../jobs/create/createJob.ts';
import { createDismissals } from '../../jobs/commands/dismissals.ts';
import type { Snoozes } from '../../jobs/commands/snoozes.ts';
import { listDeprecatedFields } from '../../jobs/views/deprecatedNames.ts';
import { listHeardReferences } from '../../forges/inbound/listHeardReferences.ts';
import { listHookedPlugins } from '../../forges/listHookedPlugins.ts';
import type { LocalForgeRoutes } from '../../forges/localForgeService.ts';
import { createReviewService } from '../../forges/reviews/reviewService.ts';
import type { ForgeService } from '../../forges/forgeService.ts';
import type { CleanupService } from '../../jobs/workspace/cleanup/cleanupService.ts';
import { createAuthoring } from '../../jobs/workspace/editing/authoring.ts';
import { createJobHistory } from '../../jobs/views/history/createJobHistory.ts';
import { createBudgetService } from '../../policy/budgets/budgetService.ts';
import { createCosts } from '../../jobs/views/reports/createCosts.ts';
import { PRICES } from '../../policy/usage/prices.generated.ts';
import { createJobList } from '../../jobs/views/list/createJobList.ts';
import { createReport } from '../../jobs/views/reports/createReport.ts';
import { createStatistics } from '../../jobs/views/reports/createStatistics.ts';
import { createWorkflowRuns } from '../../jobs/views/reports/createWorkflowRuns.ts';
import { createJobServers } from '../../jobs/questions/jobServers.ts';
import type { JobWatch } from '../../jobs/views/jobWatch.ts';
import { createDryRunService } from '../../policy/guardrails/dryRuns/dryRunService.ts';
import { createGuardrailService } from '../../policy/guardrails/guardrailService.ts';
import { createStopAll } from '../../jobs/commands/stopAll.ts';
import { createQuestions } from '../../jobs/questions/questions.ts';
import { createSinceSuccess } from '../../jobs/questions/sinceSuccess.ts';
import { createQuotaService } from '../../policy/quota/quotaService.ts';
import { createPromoteInsight } from '../../jobs/proposals/promoteInsight.ts';
import { preflightFiles } from '../../jobs/proposals/preflightFiles.ts';
import { createProposalService } from '../../jobs/proposals/proposalService.ts';
import { createInsights } from '../../jobs/views/reports/createInsights.ts';
import { buildPromotionDeps, buildProposalServiceDeps } from './proposalDeps.ts';
import type { ProviderUse } from '../../jobs/questions/providerUse.ts';
import type { ScheduleService } from '../../jobs/schedules/scheduleService.ts';
import type { Slots } from '../../jobs/slots/slots.ts';
import type { Streams } from '../../jobs/views/history/streams.ts';
import { createDecisionLabels } from '../../jobs/commands/decisionLabels.ts';
import { DIGEST_VERSION } from '../../policy/decisions/digest/buildPhaseDigest.ts';
import { createReplay } from '../../policy/decisions/replay.ts';
import { toRecordedModel, resolveSiteMode } from '../../policy/decisions/decisionTerms.ts';
import { createDecisionList } from '../../jobs/views/ratings/createDecisionList.ts';
import { createTrackRecord } from '../../jobs/views/ratings/createTrackRecord.ts';
import { buildDecisionDeps } from './buildDecisionDeps.ts';

const createDecisions = (core: RunnerCore) => {
  const { settings, store, rows, now, kernel, screen, readState } = core;
  const read = { reader: store.decisions, rows, frames: store.frames, now };
  const list = createDecisionList(read);
  return {
    ...list,
    ...createDecisionLabels({ kernel, rows, now, screen, ...list }),
    ...createTrackRecord({
      ...read,
      present() {
        const { provider } = settings.decision;
        const model = toRecordedModel(settings.decision, 'overseer');
        const mode = resolveSiteMode(settings.decision, 'overseer') ?? 'off';
        return { mode, provider, model, digestVersion: DIGEST_VERSION };
      },
    }),
    ...createReplay({
      ...buildDecisionDeps(core),
      ...list,
      terms: () => settings.decision,
      phase(jobId, name) {
        const { workflow, workflowPath } = readState(jobId).context;
        const phase = workflow.phases.find((one) => one.name === name);
        return phase ? { phase, workflowPath } : null;
      },
    }),
  };
};

export interface RunnerParts {
  charts: readonly DurableChart[];
  kernel: Kernel;
  slots: Slots;
  streams: Streams;
  watch: JobWatch;
  createJob: CreateJob;
  estimateJob: Runner['estimateJob'];
  campaigns: Campaigns;
  forgeService: ForgeService;
  providerUse: ProviderUse;
  localForge: LocalForgeRoutes;
  cleaning: CleanupService;
  snoozes: Snoozes;
  backups: Pick<Runner, 'backup'>;
  scheduling: ScheduleService;
}

/** All that the outside can ask of a runner, but for how the runner itself is. */
export const createSurface = (core: RunnerCore, parts: RunnerParts): Omit<Runner, 'health'> => {
  const { settings, store, workplace, deprecated, ids, readRow } = core;
  const { watch, campaigns, forgeService, localForge } = parts;
  const spending = {
    ...createBudgetService({
      kernel: core.kernel,
      rows: core.rows,
      budgets: core.budgets,
      readState: core.readState,
      now: core.now,
      stops: store.budgetStops,
      slots: parts.slots,
    }),
    ...createCosts({ reader: store.costs, rows: store.rows, prices: PRICES.date }),
    ...createQuotaService({
      kernel: core.kernel,
      rows: core.rows,
      now: core.now,
      actors: store.actors,
    }),
  };
  const commands = createCommands({
    kernel: core.kernel,
    requests: core.requests,
    ids: core.ids,
    readState: core.readState,
    rows: core.rows,
    budgets: core.budgets,
    enforcement: core.enforcement,
    now: core.now,
    readSince: (jobId) => readRow(jobId).since,
    inbox: (actor, source, externalId) => store.durable.inbox(actor, source, externalId),
  });
  const waitingProposals = (): number =>
    WAITING_PROPOSALS.reduce((sum, state) => sum + store.rows.count('proposals', { state }), 0);
  return {
    noteDeprecatedUse: (name, own) => deprecated.noteUse(name, own),
    async createJob(body, request, person) {
      const created = await parts.createJob(body, request, undefined, person);
      for (const name of listDeprecatedFields(body.params)) deprecated.noteUse(name);
      return created;
    },
    estimateJob: parts.estimateJob,
    ...createJobList({
      deprecated: core.deprecated,
      summarise: core.summarise,
      list: store.jobs,
      proposals: waitingProposals,
    }),
    watchJobs: (notify) => watch.watch(notify),
    job: core.job,
    ...commands,
    ...createDryRunService({
      guardrails: core.guardrails,
      readState: core.readState,
      rows: core.rows,
      durable: store.durable,
      statistics: store.statistics,
      measureElapsed: () => performance.now(),
    }),
    ...createGuardrailService({
      guardrails: core.guardrails,
      settings: core.settings,
      rows: core.rows,
      reader: store.guardrails,
      readParked: (jobId) => core.readState(jobId).context.parked,
      resume: commands.resume,
    }),
    ...createStopAll({ kernel: core.kernel, jobs: store.jobs }),
    ...createDismissals({
      kernel: core.kernel,
      requests: core.requests,
      rows: core.rows,
      now: core.now,
      readState: core.readState,
      summary: core.summary,
      notifyChanged: (ids) => watch.notifyChanged(ids),
    }),
    ...parts.snoozes.facade,
    ...campaigns.facade,
    ...createAuthoring({
      workplace: core.workplace,
      settings: core.settings,
      tenantFolder: core.tenantFolder,
      versions: core.versions,
      createDraftName: ids.next,
    }),
    preflight: (body) => preflightFiles(workplace, body),
    gc: parts.cleaning.gc,
    gcSchedule: parts.cleaning.gcSchedule,
    schedules: parts.scheduling.schedules,
    runSchedule: parts.scheduling.runSchedule,
    resumeSchedule: parts.scheduling.resumeSchedule,
    backup: parts.backups.backup,
    ...createJobServers(core),
    ...createJobHistory(core),
    ...createSinceSuccess({ rows: core.rows, job: core.job }),
    ...spending,
    ...createReport({
      now: core.now,
      lastOutputs: core.lastOutputs,
      ...spending,
      list: store.jobs,
      rows: store.rows,
      countWaitingProposals: waitingProposals,
    }),
    ...createDecisions(core),
    ...createStatistics({ reader: store.statistics, now: core.now }),
    ...createWorkflowRuns(store.workflowRuns),
    ...createQuestions({
      store: core.store,
      workplace: core.workplace,
      disk: core.disk,
      budgets: core.budgets,
      blobs: core.blobs,
      lastOutputs: core.lastOutputs,
      assertJob: core.assertJob,
      readState: core.readState,
      readRow: core.readRow,
      summary: core.summary,
      ...parts,
      heard: (params) =>
        listHeardReferences(
          {
            forges: core.forges,
            trackers: core.trackers,
            hooked: listHookedPlugins(core.remote),
          },
          params,
        ),
    }),
    async workflows() {
      const { overlay } = await workplace.overlay(null);
      const { workflows, broken } = overlay.workflows();
      return [...workflows, ...broken]
        .sort(compareByWorkflowPath)
        .map((discoveredWorkflow) => toWorkflowEntry(discoveredWorkflow, settings.llm));
    },
    ...createReviewService(core),
    ...createInsights(store.insights),
    ...createPromoteInsight(buildPromotionDeps(core)),
    ...createProposalService(buildProposalServiceDeps(core)),
    pluginJobs: parts.providerUse.pluginJobs,
    ...forgeService.facade,
    ...localForge,
  };
};
