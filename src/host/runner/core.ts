import type { Tables } from '../../contract/records/tables.ts';
import { basename, join } from 'node:path';
import type { RowChange } from '../../contract/records/changes.ts';
import { JobOverlays } from '../../jobs/workspace/jobOverlays.ts';
import { LiveSessions } from '../../sessions/open/liveSessions.ts';
import { FileVersions } from '../../jobs/workspace/editing/fileVersions.ts';
import { TenantFolder } from '../../jobs/workspace/editing/tenantFolder.ts';
import { createWorkplace } from '../../jobs/workspace/workplace.ts';
import { WorkInProgress } from '../../jobs/workspace/workInProgress.ts';
import { createLackFinder } from '../../executors/process/createLackFinder.ts';
import { createProgramCheck } from '../../base/system/process/createProgramCheck.ts';
import { KnownSecrets } from '../../base/secrets/knownSecrets.ts';
import { TaskLock } from '../../base/concurrency/taskLock.ts';
import type { Job, JobSummary, JobTrace } from '../../contract/schema/job/job.ts';
import {
  listPhaseProviders,
  toExecutorId,
  resolvePhaseModel,
} from '../../workflows/definition/resolvePhaseModel.ts';
import { BlobStore } from '../../jobs/workspace/blobs.ts';
import type { RunAdvisor } from '../../jobs/create/refuseToRun.ts';
import { DeprecatedNames } from '../../jobs/views/deprecatedNames.ts';
import { JobIds } from '../../jobs/create/jobIds.ts';
import { DiskWatch } from '../../jobs/slots/diskWatch.ts';
import { createCheckouts } from './createCheckouts.ts';
import { createJobLog } from './jobLog.ts';
import type { Checkouts } from '../../jobs/workspace/checkouts/checkouts.ts';
import { createJobStates, createListedJobReader } from '../../jobs/views/createJobStates.ts';
import { toBrokenJob, readJobOrBroken } from '../../jobs/views/readJobOrBroken.ts';
import { LastOutputs } from '../../jobs/views/history/lastOutputs.ts';
import type { ListedJob } from '../../jobs/store/queries/toListedJob.ts';
import { JobViews } from '../../jobs/views/jobViews.ts';
import { toLiveSummary } from '../../jobs/views/list/jobSummary.ts';
import { KernelHandle } from '../../kernel/kernelHandle.ts';
import { Requests } from '../../jobs/commands/requests.ts';
import type { JobContext } from '../../../machines/index.ts';
import { Budgets } from '../../policy/budgets/budgets.ts';
import { Enforcement } from '../../jobs/terms/enforcement.ts';
import { Guardrails } from '../../policy/guardrails/guardrails.ts';
import { Estimates } from '../../policy/budgets/estimates.ts';
import { createEvidence } from '../../jobs/views/evidence/createEvidence.ts';
import { createLedger, UNKNOWN_BILLING, type Ledger } from '../../policy/usage/ledger.ts';
import type { RunnerDeps } from './runnerDeps.ts';
import type { PhaseCalls } from '../../policy/budgets/budgetDeps.ts';
import { LARGEST_CALL } from '../../policy/budgets/likely.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

interface PriceDeps {
  settings: Pick<Settings, 'llm' | 'budgets'>;
  executors(): readonly Executor[];
  ledger: Pick<Ledger, 'price'>;
}

/** How calls of a phase's model are paid for and reported, and what the largest one costs. */
export const createCallPricer =
  ({ settings, executors, ledger }: PriceDeps) =>
  (phase: PhaseDefinition): PhaseCalls => {
    const llm = resolvePhaseModel(settings.llm, phase);
    const executor = executors().find(({ id }) => id === toExecutorId(llm.provider));
    const billing = executor?.billing?.({ llm, command: null }) ?? UNKNOWN_BILLING;
    const { metered, microUsd, why } = ledger.price({
      billing,
      model: llm.model ?? billing.model,
      usage: {
        inputTokens: LARGEST_CALL.input,
        outputTokens: LARGEST_CALL.output,
        cachedInputTokens: 0,
      },
    });
    const { input, output } = settings.budgets.unpriced;
    const assumedCost = LARGEST_CALL.input * input + LARGEST_CALL.output * output;
    const { reportsUsage = 'never', stopsBetweenCalls = false } = executor
      ? { ...executor.capabilities, ...executor.metering?.(llm.provider) }
      : {};
    return {
      metered,
      isListed: why === 'table',
      microUsd: Math.ceil(microUsd ?? assumedCost),
      reportsUsage,
      stopsBetweenCalls,
    };
  };

const createLintContext =
  ({ settings, hostEnv, forges, trackers }: RunnerDeps) =>
  () => ({
    interactive: settings.coachMode.enabled,
    caps: settings.budgets.caps,
    lacksProgram: createProgramCheck(hostEnv.PATH ?? ''),
    providers: [...forges.ids(), ...trackers.ids()],
  });

export type RunnerCore = ReturnType<typeof createCore>;

/**
 * Fills in the defaults, and creates what needs nothing but the store and the handle of the kernel.
 */
/** A view is shared by all callers: it is copied, not changed. */
const withTrace = (job: Job, trace: JobTrace | undefined): Job =>
  trace === undefined ? job : { ...job, trace };

export const createCore = (deps: RunnerDeps) => {
  const { settings, store, clock, log, executors } = deps;
  const { durable, rows } = store;
  const kernel = new KernelHandle<Tables>();
  const lacks = createLackFinder(executors);
  const runAdvisor: RunAdvisor = { settings, lacks, advise: deps.advise };
  const providers = () => executors().flatMap(listPhaseProviders);
  const { readState, readRow, assertJob } = createJobStates(kernel, durable, store.jobs);
  const readListedJob = createListedJobReader(store.jobs);
  const writeRows = async (changes: RowChange[]): Promise<void> => {
    await kernel.submit({ rows: changes });
  };
  const countUse = (changes: RowChange[]): void => {
    writeRows(changes).catch((err) =>
      log.error({ err }, 'the use of an older name was not counted'),
    );
  };

  const now = clock.now;
  const ledger = createLedger({ rows, writeRows, now, settings, screen: deps.screen });
  const budgetDeps = {
    rows,
    writeRows,
    now,
    settings,
    findRoot: ledger.findRoot,
    readContext: (jobId: string) => kernel.state(jobId)?.context as JobContext | undefined,
    callPrice: createCallPricer({ settings, executors, ledger }),
  };

  const budgets = new Budgets(budgetDeps);
  const disk = new DiskWatch({
    folders: [settings.home, settings.paths.workingDir],
    minFreeMb: () => settings.runner.minFreeDiskMb,
    read: deps.freeSpace,
    clock,
    log,
  });
  const lastOutputs = new LastOutputs({
    rows,
    frames: store.frames,
    readLastFrame: (jobId) => readRow(jobId).frameSeq,
  });
  const views = new JobViews({
    rows,
    lastOutputs,
    readListed: readListedJob,
    shut: () => disk.reason,
    broken: store.broken,
    // A row that was forged must not name a folder elsewhere.
    checkoutAt: (jobId, dir) =>
      basename(dir) === dir && !dir.startsWith('.')
        ? join(settings.paths.workingDir, jobId, dir)
        : null,
  });
  const summarise = (listedJob: ListedJob): JobSummary =>
    toLiveSummary(listedJob, { shut: disk.reason, lastLine: (id) => lastOutputs.readLastLine(id) });
  const secretStream = deps.secretStream ?? (() => new KnownSecrets().stream());
  const tenantFolder = new TenantFolder(settings.tenant, settings.paths.intelligenceDir);

  const jobLog = createJobLog({ kernel, clock, log, screen: deps.screen });
  const workplace =
    deps.workplace ??
    createWorkplace({
      ...deps,
      providers,
      lacks,
      here: createLintContext(deps),
      readTenant: (read) => tenantFolder.read(read),
      readVariables: (jobId) => checkouts.readVariables(jobId),
    });
  const checkouts: Checkouts = createCheckouts(deps, {
    rows,
    writeRows,
    workplace,
    readState,
    log: jobLog.logLines,
  });

  return {
    ...deps,
    kernel,
    rows,
    now,
    readState,
    readRow,
    assertJob,
    writeRows,
    ledger,
    budgets,
    disk,
    lastOutputs,
    enforcement: new Enforcement({ ...budgetDeps, settings, budgets }),
    estimates: new Estimates(budgetDeps),
    guardrails: new Guardrails({
      settings,
      rows,
      writeRows,
      scripts: deps.guardrailScripts,
      now,
      measureElapsed: () => performance.now(),
      screen: deps.screen,
      log,
    }),
    runAdvisor,
    workplace,
    checkouts,
    tenantFolder,
    versions: new FileVersions({ rows, writeRows, now }),
    blobs: deps.blobs ?? new BlobStore(settings.paths.blobs),
    /** Whether there is something that must not go out with a branch. */
    knowsSecrets: deps.secretStream !== null,
    secretStream,
    workInProgress: new WorkInProgress({ ...deps, stream: secretStream }),
    /** A cleanup and a backup of the home exclude each other. */
    upkeep: new TaskLock(),
    overlays: new JobOverlays(),
    evidence: createEvidence({ list: store.jobs, rows, frames: store.frames, now }),
    sessions: new LiveSessions(),
    job: (jobId: string): Job =>
      readJobOrBroken(
        () => withTrace(views.of(readState(jobId)), deps.findTrace?.(jobId)),
        (reason) => {
          store.broken.add({ table: 'actors', id: jobId, reason });
          return toBrokenJob(readListedJob(jobId), rows);
        },
      ),
    summary: (jobId: string): JobSummary => summarise(readListedJob(jobId)),
    summarise,
    jobIds: new JobIds((id) => durable.actor(id) !== undefined),
    requests: new Requests(rows, writeRows, clock.now),
    deprecated: new DeprecatedNames(rows, countUse, clock.now),
    ...jobLog,
  };
};
