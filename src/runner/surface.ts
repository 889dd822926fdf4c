import { WAITING_PROPOSALS } from '../domain/proposals.ts';
import type { DurableChart } from '../durable/chart.ts';
import type { Kernel } from '../records/changes.ts';
import type { Runner } from '../contract/runner.ts';
import {
  compareByWorkflowPath,
  toWorkflowEntry,
} from '../authoring/workflows/discoverWorkflows.ts';
import type { Campaigns } from '../campaign/campaigns.ts';
import { createCommands } from '../job/commands.ts';
import type { RunnerCore } from './core.ts';
import { createBackups } from './backups.ts';
import { createDecisions } from './decisions.ts';
import type { CreateJob } from '../job/createJob.ts';
import { createDismissals } from '../job/dismissals.ts';
import { listDeprecatedFields } from '../views/deprecatedNames.ts';
import { listHeardReferences } from '../news/listHeardReferences.ts';
import type { LocalForgeRoutes } from '../news/localForgeService.ts';
import { createReviewService } from '../news/reviews/reviewService.ts';
import type { ForgeService } from '../news/forgeService.ts';
import type { CleanupService } from '../workplace/gc/cleanupService.ts';
import { createAuthoring } from '../workplace/editing/authoring.ts';
import { createJobHistory } from '../views/createJobHistory.ts';
import { createBudgetService } from '../job/budgetService.ts';
import { createCosts } from '../views/createCosts.ts';
import { PRICES } from '../usage/prices.generated.ts';
import { createJobList } from '../views/createJobList.ts';
import { createReport } from '../views/createReport.ts';
import { createStatistics } from '../views/createStatistics.ts';
import { createJobServers } from '../job/jobServers.ts';
import type { JobWatch } from '../views/jobWatch.ts';
import { createDryRunService } from '../job/guardrails/dryRunService.ts';
import { createGuardrailService } from '../job/guardrails/guardrailService.ts';
import { createStopAll } from '../job/stopAll.ts';
import { createQuestions } from '../job/questions.ts';
import { createQuotaService } from '../job/quota/quotaService.ts';
import { createPromoteInsight } from '../proposals/promoteInsight.ts';
import { preflightFiles } from '../proposals/preflightFiles.ts';
import { createProposalService } from '../proposals/proposalService.ts';
import { createInsights } from '../views/createInsights.ts';
import { buildPromotionDeps, buildProposalServiceDeps } from './proposalDeps.ts';
import type { ProviderUse } from '../job/providerUse.ts';
import type { Slots } from '../job/slots.ts';
import type { Streams } from '../views/streams.ts';

/** The parts of a runner that answer the outside. */
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
}

/** All that the outside can ask of a runner, but for how the runner itself is. */
export const createSurface = (core: RunnerCore, parts: RunnerParts): Omit<Runner, 'health'> => {
  const { settings, store, workplace, deprecated, ids, rowOf } = core;
  const { watch, campaigns, forgeService, localForge } = parts;
  const spending = {
    ...createBudgetService({
      kernel: core.kernel,
      rows: core.rows,
      budgets: core.budgets,
      stateOf: core.stateOf,
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
    stateOf: core.stateOf,
    rows: core.rows,
    budgets: core.budgets,
    enforcement: core.enforcement,
    now: core.now,
    since: (jobId) => rowOf(jobId).since,
    inbox: (actor, source, externalId) => store.durable.inbox(actor, source, externalId),
  });
  const waitingProposals = (): number =>
    WAITING_PROPOSALS.reduce((sum, state) => sum + store.rows.count('proposals', { state }), 0);
  return {
    deprecatedUse: (name, own) => deprecated.used(name, own),
    async createJob(body, request) {
      const created = await parts.createJob(body, request);
      for (const name of listDeprecatedFields(body.params)) deprecated.used(name);
      return created;
    },
    estimateJob: parts.estimateJob,
    ...createJobList({
      deprecated: core.deprecated,
      summarise: core.summarise,
      list: store.jobs,
      proposals: waitingProposals,
    }),
    watchJobs: (changed) => watch.watch(changed),
    job: core.job,
    ...commands,
    ...createDryRunService({
      guardrails: core.guardrails,
      stateOf: core.stateOf,
      rows: core.rows,
      durable: store.durable,
      statistics: store.statistics,
      elapsed: () => performance.now(),
    }),
    ...createGuardrailService({
      guardrails: core.guardrails,
      settings: core.settings,
      rows: core.rows,
      reader: store.guardrails,
      parkedOf: (jobId) => core.stateOf(jobId).context.parked,
      resume: commands.resume,
    }),
    ...createStopAll({ kernel: core.kernel, jobs: store.jobs }),
    ...createDismissals({
      kernel: core.kernel,
      requests: core.requests,
      rows: core.rows,
      now: core.now,
      stateOf: core.stateOf,
      summary: core.summary,
      changed: (ids) => watch.changed(ids),
    }),
    ...campaigns.facade,
    ...createAuthoring({
      workplace: core.workplace,
      settings: core.settings,
      tenantFolder: core.tenantFolder,
      versions: core.versions,
      nextDraft: ids.next,
    }),
    preflight: (body) => preflightFiles(workplace, body),
    gc: parts.cleaning.gc,
    gcSchedule: parts.cleaning.gcSchedule,
    ...createBackups(core),
    ...createJobServers(core),
    ...createJobHistory(core),
    ...spending,
    ...createReport({
      now: core.now,
      lastOutputs: core.lastOutputs,
      ...spending,
      list: store.jobs,
      rows: store.rows,
      waitingProposals,
    }),
    ...createDecisions(core),
    ...createStatistics({ reader: store.statistics, now: core.now }),
    ...createQuestions({
      store: core.store,
      workplace: core.workplace,
      disk: core.disk,
      budgets: core.budgets,
      blobs: core.blobs,
      lastOutputs: core.lastOutputs,
      assertJob: core.assertJob,
      stateOf: core.stateOf,
      rowOf: core.rowOf,
      summary: core.summary,
      ...parts,
      heard: (params) =>
        listHeardReferences(
          {
            forges: core.forges,
            trackers: core.trackers,
            hooked: Object.keys(core.remote.webhooks),
          },
          params,
        ),
    }),
    async workflows() {
      const { overlay } = await workplace.overlay(null);
      const { workflows, broken } = overlay.workflows();
      return [...workflows, ...broken]
        .sort(compareByWorkflowPath)
        .map((found) => toWorkflowEntry(found, settings.llm));
    },
    ...createReviewService(core),
    ...createInsights(store.insights),
    ...createPromoteInsight(buildPromotionDeps(core)),
    ...createProposalService(buildProposalServiceDeps(core)),
    jobsOfPlugin: parts.providerUse.jobsOfPlugin,
    ...forgeService.facade,
    ...localForge,
  };
};
