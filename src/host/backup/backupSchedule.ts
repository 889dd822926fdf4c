import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskLock } from '../../base/concurrency/taskLock.ts';
import { isPathWithin } from '../../base/system/files/isPathWithin.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import { readOwnHomeId } from './homeRecord.ts';
import { listOwnBackups, nameOwnBackup, removeOldBackups } from './ownBackups.ts';

/** Earliest backup after the start, or after the schedule was switched on: 10 minutes. */
const FIRST_MS = 600_000;
/** Wait before a backup that failed, or could not begin, is tried again: 30 minutes. */
const AGAIN_MS = 1_800_000;

export interface BackupScheduleDeps {
  /** Read again at each change. */
  settings: Pick<Settings, 'home' | 'backup'>;
  backups: Pick<Runner, 'backup'>;
  upkeep: Pick<TaskLock, 'current'>;
  clock: Clock;
  log: Log;
}

/**
 * Backs up the home at intervals, counted from the newest backup in the folder that this home wrote, whatever
 * process wrote it. A backup that fails is logged and tried again; `svc doctor` names one that is overdue.
 */
export class BackupSchedule {
  readonly #deps: BackupScheduleDeps;
  #cancel: () => void = () => {};
  /** Earliest time of the next backup, epoch ms; null = not started, or stopped. */
  #earliest: number | null = null;
  #planned: Promise<void> = Promise.resolve();
  #running = new AbortController();
  #isRunning = false;

  constructor(deps: BackupScheduleDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#earliest = this.#deps.clock.now() + FIRST_MS;
    this.settingsChanged();
  }

  /** Plans the next backup again, since the settings may have changed. */
  settingsChanged(): void {
    this.#planned = this.#planned
      .then(() => this.#plan())
      .catch((err: unknown) => this.#fail(err, 'the folder of backups cannot be read'));
  }

  /** Ends a backup that is being written; the next start makes it again. */
  async stop(): Promise<void> {
    this.#earliest = null;
    this.#cancel();
    this.#running.abort();
    await this.awaitPlanned();
  }

  /** Resolves when everything that was begun so far has ended. */
  awaitPlanned(): Promise<void> {
    return this.#planned;
  }

  async #plan(): Promise<void> {
    const { settings } = this.#deps;
    this.#cancel();
    const { everyMs, folder } = settings.backup;
    if (this.#earliest === null || this.#isRunning || everyMs === null || folder === null) return;
    const homeId = await readOwnHomeId(settings.home);
    const [newest] = homeId === undefined ? [] : await listOwnBackups(folder, homeId);
    this.#wake(Math.max((newest?.at ?? 0) + everyMs, this.#earliest ?? 0));
  }

  #wake(at: number): void {
    this.#cancel();
    if (this.#earliest === null) return;
    this.#cancel = this.#deps.clock.at(at, () => {
      this.#planned = this.#planned.then(() => this.#run());
    });
  }

  #fail(err: unknown, what: string): void {
    if (this.#earliest === null) return;
    this.#deps.log.error({ err }, what);
    this.#wake(this.#deps.clock.now() + AGAIN_MS);
  }

  async #run(): Promise<void> {
    const { upkeep, clock, settings } = this.#deps;
    const { folder, everyMs } = settings.backup;
    if (this.#earliest === null || folder === null || everyMs === null) return;
    if (upkeep.current !== null) return this.#wake(clock.now() + AGAIN_MS);
    this.#isRunning = true;
    try {
      await this.#write(folder);
      this.#isRunning = false;
      await this.#plan();
    } catch (err) {
      this.#fail(err, 'the scheduled backup failed');
    } finally {
      this.#isRunning = false;
    }
  }

  async #write(folder: string): Promise<void> {
    const { settings, backups, clock, log } = this.#deps;
    const { copies, work } = settings.backup;
    const homeId = await readOwnHomeId(settings.home);
    if (homeId === undefined) throw new Error(`home.json of ${settings.home} cannot be read.`);
    if (isPathWithin(folder, settings.home))
      throw new Error(
        `backup.folder is ${folder}, in the home itself. Name a place outside of it.`,
      );
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, nameOwnBackup(homeId, clock.now()));
    const tar = await backups.backup({ work });
    const { signal } = this.#running;
    // With the library for tar: a start does not load it.
    const { writeBackupFile } = await import('./writeBackupFile.ts');
    await writeBackupFile(tar, file, { signal, onBytes: () => {} });
    const { size: bytes } = await stat(file);
    const removedBackups = await removeOldBackups(folder, homeId, copies);
    log.info({ file, bytes, removed: removedBackups.length }, 'the home was backed up');
  }
}
