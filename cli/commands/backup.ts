import { statSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { runOfflineAct } from '../../src/host/audit/offlineActs.ts';
import { startBackup } from '../../src/host/backup/startBackup.ts';
import { isBeingRestored } from '../../src/host/backup/homeRecord.ts';
import type { ReadBackup } from '../../src/host/backup/readBackup.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { copyClosedState } from '../../src/jobs/store/copiedState.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { BackupWork } from '../../src/contract/schema/runner/backup.ts';
import { isPaired } from '../../src/host/start/isPaired.ts';
import { readHomeSettings } from '../cloud/readHomeSettings.ts';
import { RunnerCommand } from '../base/runnerCommand.ts';
import { writeBackupFile } from '../../src/host/backup/writeBackupFile.ts';
import { resolveBackupFile } from '../input/resolveBackupFile.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { formatBackup } from '../render/runner/formatBackup.ts';
import { formatByteSize } from '../render/text/formatByteSize.ts';

/** Bytes between two lines of progress. */
const PROGRESS_BYTES = 100_000_000;

export interface BackupReply extends ReadBackup {
  file: string;
  bytes: number;
}

export default class BackupCommand extends RunnerCommand {
  static override summary = 'Back up the home to one file, even while the runner is working.';
  static override description =
    'The file holds the state, artefacts, configuration, tokens, plugins and the folders of jobs with their checkouts; it is verified after writing. Programs, logs and mirrors that can be cloned again are left out. Without a runner, the home is read directly. Restore it with svc restore.';
  static override examples = [
    '<%= config.bin %> backup',
    '<%= config.bin %> backup /mnt/backups',
    '<%= config.bin %> backup home.tar.gz --work active',
  ];
  static override args = {
    file: Args.string({
      description:
        'File that ends in .tar or .tar.gz, or a folder. Default: a file named after the time, in the current folder.',
    }),
  };
  static override flags = {
    work: Flags.option({
      options: ['all', 'active', 'none'] as const,
      default: 'all' as const,
      description:
        'Which job folders to include: all, active (jobs that have not ended) or none (unpushed work is then missing).',
    })(),
  };

  async run(): Promise<BackupReply> {
    const { args, flags } = await this.parse(BackupCommand);
    const { homeDir, env, cwd } = this.io;
    const sources = { env, homeDir, flags: {}, packageRoot: findPackageRoot(import.meta.url) };
    const { home } = resolveConfigPlace(sources);
    if (isBeingRestored(home))
      throw new SvcError('not-possible-now', `A restore into ${home} has not finished.`);
    const file = resolveBackupFile(args.file, { cwd, now: this.io.now(), home });
    const stop = new AbortController();
    const release = this.io.onInterrupt(() => stop.abort(createBackupInterruptedError()));
    let next = PROGRESS_BYTES;
    const onBytes = (bytes: number): void => {
      if (bytes < next) return;
      this.note(`${formatByteSize(bytes)} …\n`);
      next += PROGRESS_BYTES;
    };
    try {
      const tar = await this.#tar(flags.work, stop.signal);
      const backup = await writeBackupFile(tar, file, { signal: stop.signal, onBytes });
      const { size: bytes } = statSync(file);
      const { cloud } = await readHomeSettings(this.io);
      this.print(formatBackup(file, bytes, backup, isPaired(cloud)));
      return { file, bytes, ...backup };
    } finally {
      release();
    }
  }

  async #tar(work: BackupWork, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const runner = await this.runnerOrNull();
    if (runner !== null) return runner.client.backup({ work }, signal);
    const { homeDir, env } = this.io;
    const { settings } = await loadSettings({
      env,
      homeDir,
      flags: {},
      packageRoot: findPackageRoot(import.meta.url),
    });
    const copyState = (file: string) => copyClosedState(settings.paths.stateDb, file);
    const act = { at: this.io.now(), action: 'backup', target: { work } };
    return runOfflineAct(settings.home, act, () =>
      startBackup({ settings, work, now: act.at, copyState }),
    );
  }
}

const createBackupInterruptedError = (): SvcError =>
  new SvcError('not-possible-now', 'Interrupted. No backup was written.');
