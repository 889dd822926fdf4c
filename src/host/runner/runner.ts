import { SvcError } from '../../base/errors/errors.ts';
import { createKernel } from '../../kernel/kernel.ts';
import type { Kernel, RowChange } from '../../contract/records/changes.ts';
import type { BrokenRowNotes, Runner } from '../../contract/runner/runner.ts';
import { resolveForge } from '../../providers/forges.ts';
import { LOCAL_FORGE } from '../../providers/local/describe.ts';
import { createCampaigns } from '../../sessions/subRuns/campaigns.ts';
import { DURATION_TIMERS } from '../../../machines/index.ts';
import { CHARTS } from './charts.ts';
import { createCore, type RunnerCore } from './core.ts';
import type { CreateJobDeps } from '../../jobs/create/createJobDeps.ts';
import { createJobCreator } from '../../jobs/create/createJob.ts';
import { createEstimator } from '../../jobs/create/estimateCheckedJob.ts';
import { createScheduleFollowUp } from '../../jobs/schedules/scheduleFollowUp.ts';
import {
  createScheduleService,
  type ScheduleService,
} from '../../jobs/schedules/scheduleService.ts';
import { START_RETRIES_MS } from '../../jobs/schedules/schedulePorts.ts';
import { joinFollowUps } from '../../kernel/joinFollowUps.ts';
import { pickWriteRetries } from '../../forges/outbound/writeForge.ts';
import { KnownRepositories } from '../../jobs/create/knownRepositories.ts';
import { createLocalForgeService } from '../../forges/localForgeService.ts';
import type { ForwardedOutcome, ForwardedWebhook } from '../../contract/forge/forwardedWebhook.ts';
import { createForgeService } from '../../forges/forgeService.ts';
import { Snoozes } from '../../jobs/commands/snoozes.ts';
import { JobWatch } from '../../jobs/views/jobWatch.ts';
import type { Intake } from '../../contract/planning/intake.ts';
import { createRunnerIntake } from './intake.ts';
import { buildDecisionDeps } from './buildDecisionDeps.ts';
import { createNewsScreen } from '../../policy/decisions/sites/newsScreen.ts';
import { withNewsScreen } from '../../forges/inbound/withNewsScreen.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createPorts } from './ports.ts';
import { reportFault } from './reportFault.ts';
import type { RunnerDeps } from './runnerDeps.ts';
import { createProviderUse } from '../../jobs/questions/providerUse.ts';
import { createQuotaAdmission } from '../../policy/quota/createQuotaAdmission.ts';
import { findKeptLayersHash } from '../../sessions/prepare/resolvePhaseOverlay.ts';
import type { DiskWatch } from '../../jobs/slots/diskWatch.ts';
import { Slots } from '../../jobs/slots/slots.ts';
import { Streams } from '../../jobs/views/history/streams.ts';
import { createTeamProposals, type TeamProposals } from '../../jobs/proposals/teamProposals.ts';
import {
  createTeamPullRequests,
  type TeamPullRequests,
} from '../../jobs/proposals/teamPullRequests.ts';
import { buildProposalPortDeps } from './proposalDeps.ts';
import { BackupSchedule } from '../backup/backupSchedule.ts';
import { createBackups } from '../backup/createBackups.ts';
import { createCleanupService } from '../../jobs/workspace/cleanup/cleanupService.ts';
import { createSurface } from './surface.ts';

export interface RunningRunner extends Runner, Lifecycle, BrokenRowNotes {
  /** Takes a webhook that the control plane forwards. Never rejects. */
  takeForwarded(delivery: ForwardedWebhook): Promise<ForwardedOutcome>;
  intake: Intake;
  /**
   * Shows what actors do, committed step by committed step, until the returned function is called.
   */
  inspect: Kernel['inspect'];
  /** Called with what each commit has brought about, until the returned function is called. */
  onCommit: Kernel['onCommit'];
  /** Called when a disk becomes low (null = has room again), until the returned function is called. */
  onDiskChange: DiskWatch['onChange'];
  /** How many submissions are not answered yet. */
  waiting: Kernel['countWaiting'];
  /** Mistakes of schedules that only the creation of a job finds. */
  checkSchedules: ScheduleService['checkSchedules'];
  /** The jobs among these actors, as lists show them now. */
  readJobs: JobWatch['readJobs'];
  teamProposals: TeamProposals;
  teamPullRequests: TeamPullRequests;
  /** Writes rows that belong to no job; resolves when they are durable. */
  writeRows(rows: RowChange[]): Promise<void>;
}

/**
 * Joins charts, kernel, ports and services into what the surface talks to. Every part is created
 * after those that it needs; the one exception, the kernel, is in `kernelHandle.ts`.
 */
export const createRunner = (deps: RunnerDeps): RunningRunner => {
  const core = createCore(deps);
  const actors = createActors(core);
  const { resync, ...localForge } = createLocalForgeService({
    rows: core.rows,
    requests: core.requests,
    ids: core.ids,
    now: core.now,
    kernel: withNewsScreen(core.kernel, actors.screenNews),
    forge: resolveForge(core.forges, { slug: '', provider: LOCAL_FORGE }),
    tells: actors.forgeService.tells,
  });
  const intake = createRunnerIntake(core);
  const providerUse = createProviderUse(core);
  const cleaning = createCleanupService(core);
  const backups = createBackups(core);
  const backupSchedule = new BackupSchedule({
    settings: core.settings,
    backups,
    upkeep: core.upkeep,
    clock: core.clock,
    log: core.log,
  });
  const readers = createReaders(core);
  const scheduling = createScheduleService({
    settings: core.settings,
    kernel: core.kernel,
    rows: core.rows,
    actors: core.store.actors,
    createJob: actors.createJob,
    checkJob: actors.estimateJob,
    isAdopted: core.isAdopted === true,
    log: core.log,
    now: core.now,
  });
  const snoozes = createSnoozes(core, readers);
  const parts = {
    ...actors,
    ...readers,
    scheduling,
    localForge,
    providerUse,
    cleaning,
    backups,
    backupSchedule,
    snoozes,
    charts: CHARTS,
  };
  return {
    ...createLifecycle(core, { ...parts, intake, resync }),
    ...createSurface(core, parts),
    intake,
    inspect: (observer) => actors.kernel.inspect(observer),
    onCommit: (listener) => actors.kernel.onCommit(listener),
    onDiskChange: (listener) => core.disk.onChange(listener),
    waiting: () => actors.kernel.countWaiting(),
    takeForwarded: actors.forgeService.takeForwarded,
    readJobs: (changedActors) => readers.watch.readJobs(changedActors),
    teamProposals: createTeamProposals(core),
    teamPullRequests: createTeamPullRequests({
      ...buildProposalPortDeps(core, actors.forgeService),
      now: core.now,
    }),
    writeRows: core.writeRows,
    checkSchedules: scheduling.checkSchedules,
    collectBroken: (run) => core.store.broken.collect(run),
  };
};

const refuseNewJobs = (): never => {
  throw new SvcError(
    'not-possible-now',
    'This process only continues the jobs of a runner that is lost. Start new jobs at another runner of the team.',
  );
};

/** What makes jobs and carries out what they ask for, and the kernel that runs them. */
const createActors = (core: RunnerCore) => {
  const { forges, clock, trackers, screen, secretStream, store } = core;
  const repositories = new KnownRepositories({ forges, clock });
  const making: CreateJobDeps = {
    settings: core.settings,
    workplace: core.workplace,
    kernel: core.kernel,
    rows: core.rows,
    blobs: core.blobs,
    forges,
    repositories,
    runAdvisor: core.runAdvisor,
    budgets: core.budgets,
    enforcement: core.enforcement,
    estimates: core.estimates,
    sandboxes: core.sandboxes,
    guardrails: core.guardrails,
    disk: core.disk,
    requests: core.requests,
    refuseNew: core.isAdopted === true ? refuseNewJobs : undefined,
    ids: core.jobIds,
    now: core.now,
    tickets: {
      trackers,
      forges,
      clock,
      repositories,
      get sites() {
        return core.sites?.() ?? [];
      },
    },
  };
  const create = createJobCreator(making);
  // Also of those that a trigger makes.
  const createJob: typeof create = async (...args) => {
    const created = await create(...args);
    core.onJobCreated?.();
    return created;
  };
  const campaigns = createCampaigns({
    kernel: core.kernel,
    rows: core.rows,
    requests: core.requests,
    forges: core.forges,
    trackers: core.trackers,
    clock: core.clock,
    workplace: core.workplace,
    enforcement: core.enforcement,
    guardrails: core.guardrails,
    now: core.now,
    settings: core.settings,
    readState: core.readState,
    summary: core.summary,
    lastOutputs: core.lastOutputs,
    repositories,
    ids: core.jobIds,
    readRow: (jobId) => store.durable.actor(jobId),
    readKeptLayers: (jobId) =>
      findKeptLayersHash(store.durable.journal(jobId, 0, Number.MAX_SAFE_INTEGER)),
  });
  const screening = new AbortController();
  const screenNews = createNewsScreen(buildDecisionDeps(core), screening.signal);
  const forgeService = createForgeService({
    forges: core.forges,
    store: core.store,
    kernel: core.kernel,
    clock: core.clock,
    log: core.log,
    remote: core.remote,
    readState: core.readState,
    screen: core.screen,
    trackers: core.trackers,
    guardrails: core.guardrails,
    budgets: core.budgets,
    screenNews,
    createJob,
    askClaim: core.askClaim,
    secrets: core.knowsSecrets ? { screen, stream: secretStream } : null,
  });
  const slots = new Slots({
    actors: store.actors,
    clock,
    get limit() {
      return core.settings.runner.maxConcurrentJobs;
    },
    admissions: [
      createQuotaAdmission({
        settings: core.settings,
        executor: (id) => core.executors().find((one) => one.id === id),
        state: (id) => core.kernel.state(id),
        now: core.now,
      }),
      core.budgets,
    ],
    isShut: () => core.disk.low !== null,
    onError: (err) => reportFault(core.log, {}, err, 'a slot could not be granted'),
  });
  const ports = createPorts(core, campaigns, forgeService, createJob);
  const kernel = createKernel({
    store: store.durable,
    charts: CHARTS,
    followUp: joinFollowUps(
      slots,
      createScheduleFollowUp((id) => store.durable.actor(id) !== undefined),
    ),
    onUnreadable(id, reason) {
      store.broken.add({ table: 'actors', id, reason });
      store.actors.leaveOut(id);
    },
    clock,
    durations: DURATION_TIMERS,
    screen,
    ...(core.defer ? { defer: core.defer } : {}),
    onError: (where, error) => reportFault(core.log, { where }, error, 'kernel error'),
    getRetryDelays: (type, code) =>
      type === 'schedule.start' ? START_RETRIES_MS : pickWriteRetries(type, code),
    ...(core.isTakeover ? { isTakeover: core.isTakeover } : {}),
    ports: core.aroundPorts ? core.aroundPorts(ports) : ports,
  });
  core.kernel.attach(kernel);
  return {
    createJob,
    estimateJob: createEstimator(making),
    campaigns,
    forgeService,
    screenNews,
    stopScreening: () => screening.abort(),
    slots,
    kernel,
  };
};

const createSnoozes = (core: RunnerCore, { watch }: ReturnType<typeof createReaders>) =>
  new Snoozes({
    kernel: core.kernel,
    requests: core.requests,
    rows: core.rows,
    clock: core.clock,
    readState: core.readState,
    summary: core.summary,
    notifyChanged: (ids) => watch.notifyChanged(ids),
    onError: (err) => reportFault(core.log, {}, err, 'a snooze could not be ended'),
  });

const createReaders = ({ store: { durable, rows }, summary }: RunnerCore) => ({
  streams: new Streams({
    frames: (jobId, after, limit) => durable.frames(jobId, after, limit),
    hasEnded: (jobId) => durable.actor(jobId)?.index.activity === 'ended',
  }),
  watch: new JobWatch({ rows, summary }),
});
