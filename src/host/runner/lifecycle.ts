import { raceDeadline } from '../../base/time/waiting.ts';
import type { BackupSchedule } from '../backup/backupSchedule.ts';
import { explainMissingKey } from '../../policy/decisions/decisionTerms.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { CommitNotice } from '../../kernel/contract.ts';
import { collectQuotaNotices } from '../../policy/quota/collectQuotaNotices.ts';
import { moveWaitsToAccounts } from '../../policy/quota/moveWaitsToAccounts.ts';
import { readJobRepo } from '../../providers/forges.ts';
import { toMarkerPrefix } from '../../sessions/open/sessionRequest.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { CloudStatus } from '../../contract/schema/runner/cloudStatus.ts';
import type { RunningIntake } from '../../intake/intakeService.ts';
import { finishApplying } from '../../jobs/proposals/applyProposal.ts';
import type { RunnerCore } from './core.ts';
import type { RunnerParts } from './surface.ts';

/** How long the kernel waits for its ports beyond the grace of the agents, ms. */
const STOP_MARGIN_MS = 5_000;
/** Most queued jobs whose entry in the list is sent again when a disk becomes low or has room again. */
const MOST_SHOWN = 2_000;

export interface Lifecycle extends Pick<Runner, 'health'> {
  /**
   * Ends what a crashed runner left behind, then brings every job that has not ended back to work.
   */
  start(): Promise<void>;
  /** The settings have changed: jobs that wait for a slot may begin now. */
  settingsChanged(): void;
  /** Interrupts sessions, keeps every job as it is, ends the streams. */
  stop(): Promise<void>;
}

interface LifecycleParts
  extends Pick<
    RunnerParts,
    | ('kernel' | 'slots' | 'streams' | 'watch')
    | ('forgeService' | 'providerUse' | 'cleaning' | 'snoozes' | 'scheduling')
  > {
  backupSchedule: BackupSchedule;
  intake: Pick<RunningIntake, 'start' | 'closeChats'>;
  stopScreening(): void;
  /** Commits what happened to pull requests while the runner was not running; answers how many. */
  resync(): Promise<number>;
}

/** Start and stop of a runner, and how it is. What follows commits does so from the creation on. */
export const createLifecycle = (core: RunnerCore, parts: LifecycleParts): Lifecycle => {
  const { settings, log, overlays, disk } = core;
  const { kernel, slots, streams, forgeService, providerUse, intake } = parts;
  const startedAt = new Date(core.clock.now()).toISOString();
  let stopping = false;

  const forgetEnded = ({ steps }: CommitNotice): void => {
    for (const { id, after } of steps) if (!after.tags.includes('slot')) overlays.forget(id);
  };
  const removals = new Set<Promise<void>>();
  const track = (removal: Promise<void>): void => {
    const tracking = removal.finally(() => removals.delete(tracking));
    removals.add(tracking);
  };
  const removeWork = async (jobId: string): Promise<void> => {
    try {
      const repo = readJobRepo(core.readState(jobId).context.params);
      if (repo !== null) await core.workInProgress.remove(jobId, repo);
    } catch (err) {
      log.warn({ err, job: jobId }, 'the work in progress of an ended job could not be removed');
    }
  };
  const hasEnded = (state: ActorState | undefined): boolean =>
    Object.hasOwn(Object(state?.value), 'ended');
  /** Of jobs that have ended while this runner, or the forge, was away. */
  const removeLeftWork = async (): Promise<void> => {
    try {
      for (const id of await core.workInProgress.listJobs())
        if (hasEnded(kernel.state(id))) await removeWork(id);
    } catch (err) {
      log.warn({ err }, 'the work in progress of ended jobs could not be looked for');
    }
  };
  /** A job that has ended does not keep the overlay as files: it is 150 KB, and no work. */
  const removeOverlays = ({ steps }: CommitNotice): void => {
    for (const { id, before, after } of steps) {
      if (!hasEnded(after) || hasEnded(before)) continue;
      track(removeWork(id));
      track(
        core.workplace
          .removeOverlay(id, () => hasEnded(kernel.state(id)))
          .catch((err: unknown) =>
            log.warn({ err, job: id }, 'the overlay of an ended job could not be removed'),
          ),
      );
    }
  };
  const unsubscribe = [
    kernel.onCommit((notice) => streams.onCommit(notice)),
    kernel.onCommit((notice) => parts.watch.onCommit(notice)),
    kernel.onCommit(forgetEnded),
    kernel.onCommit(removeOverlays),
    kernel.onCommit((notice) => {
      for (const { text, ...facts } of collectQuotaNotices(notice)) log.warn(facts, text);
    }),
    disk.onChange((low) => {
      if (low === null) slots.look();
      // The reason that those in the queue wait for changes without a step of their own.
      parts.watch.notifyChanged(core.store.actors.listWaiting(MOST_SHOWN).map(({ id }) => id));
    }),
    core.remote.onChange?.(() => {
      providerUse
        .reportRemoved()
        .catch((err: unknown) => log.error({ err }, 'could not look for jobs of a removed plugin'));
    }) ?? (() => {}),
  ];

  let syncing = Promise.resolve();
  const syncSchedules = (): void => {
    syncing = syncing
      .then(() => parts.scheduling.sync())
      .catch((err: unknown) => log.error({ err }, 'the schedules could not be taken over'));
  };

  return {
    async start() {
      await endOrphanedAgents(core);
      core.sandboxes.sweep();
      // Logs which files in the folder of scripts are not rules, before a rule is first asked.
      await core.guardrails.rules();
      const keyless = explainMissingKey(settings.decision);
      if (keyless !== null) log.warn(keyless);
      // Before a job reads the layer that a crash left half changed.
      await finishApplying(core);
      // Before a text or a branch is searched for them.
      await core.checkouts.learnSecrets();
      // Before a session that a restart has cut off begins again.
      await disk.start();
      const recovery = await kernel.start();
      const all = recovery.effects + recovery.mail + recovery.givenUp;
      if (all > 0) log.info(recovery, 'jobs continue where they were');
      const movedWaits = await moveWaitsToAccounts({
        settings,
        executor: (id) => core.executors().find((one) => one.id === id),
        kernel,
        timers: (limit) => core.store.durable.timers(limit),
        now: core.now,
        chance: core.remote.random,
      });
      if (movedWaits > 0)
        log.info({ taken: movedWaits }, 'jobs that wait for a limit wait for its account now');
      await intake.start();
      slots.start(kernel);
      const resyncCount = await parts.resync();
      if (resyncCount > 0) log.info({ found: resyncCount }, 'pull requests have changed');
      forgeService.start(parts.resync);
      providerUse.reportAtStart();
      parts.cleaning.schedule.start();
      parts.backupSchedule.start();
      parts.snoozes.start();
      // Beside the start: it reads the disk.
      track(removeLeftWork());
      syncSchedules();
    },
    settingsChanged() {
      void disk.check();
      void core.checkouts.learnSecrets();
      slots.look();
      parts.cleaning.schedule.settingsChanged();
      parts.backupSchedule.settingsChanged();
      syncSchedules();
    },
    async stop() {
      stopping = true;
      await Promise.all([parts.cleaning.schedule.stop(), parts.backupSchedule.stop()]);
      // What it writes is not answered while the control plane of a team is away.
      await raceDeadline(core.clock, STOP_MARGIN_MS, syncing, () => undefined);
      for (const end of unsubscribe) end();
      slots.stop();
      parts.snoozes.stop();
      disk.stop();
      forgeService.stop();
      parts.stopScreening();
      await intake.closeChats();
      await kernel.stop(settings.runner.stopGraceSeconds * 1000 + STOP_MARGIN_MS);
      await Promise.all(removals);
      streams.close();
    },
    health: () => ({
      status: stopping ? 'stopping' : 'ok',
      version: settings.version,
      mode: settings.mode,
      ...readCloudStatus(core),
      startedAt,
      jobs: core.store.jobs.activities(),
      deprecatedUses: core.deprecated.list(),
    }),
  };
};

const readCloudStatus = ({ cloud }: Pick<RunnerCore, 'cloud'>): { cloud?: CloudStatus } => {
  const status = cloud?.() ?? null;
  return status === null ? {} : { cloud: status };
};

const endOrphanedAgents = async ({ executors, settings, log }: RunnerCore): Promise<void> => {
  for (const executor of executors()) {
    const endedProcesses = await executor.endOrphans(toMarkerPrefix(settings.home));
    if (endedProcesses > 0) {
      log.warn(
        { executor: executor.id, ended: endedProcesses },
        'leftover agents of an earlier runner were stopped',
      );
    }
  }
};
