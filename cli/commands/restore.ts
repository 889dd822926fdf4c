import { basename, resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { runOfflineAct } from '../../src/host/audit/offlineActs.ts';
import { readBackup, type ReadBackup } from '../../src/host/backup/readBackup.ts';
import { restoreHome, type RestoreResult } from '../../src/host/backup/restoreHome.ts';
import { resolveUserPath } from '../../src/host/config/home/paths.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { inspectStore } from '../../src/kernel/sqlite/inspectStore.ts';
import { STORE_VERSION } from '../../src/jobs/store/migrations/migrations.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { refusePairedHome } from '../../src/host/backup/refusePairedHome.ts';
import { LocalCommand } from '../base/localCommand.ts';
import { isProcessAlive } from '../../src/base/system/process/isProcessAlive.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { formatBackupCheck, formatRestore } from '../render/runner/formatBackup.ts';

export default class RestoreCommand extends LocalCommand {
  static override summary = 'Restore a home from a backup.';
  static override description =
    'The backup is read, verified and adapted to its new location before the home is written; a truncated or changed backup is refused. The home must be empty or not exist. To continue an interrupted restore, run it again.';
  static override examples = [
    '<%= config.bin %> restore svc-backup-20261124-053000.tar.gz',
    '<%= config.bin %> restore home.tar.gz --home /srv/svc',
    '<%= config.bin %> restore home.tar.gz --check',
  ];
  static override args = {
    file: Args.string({ description: 'File that svc backup wrote.', required: true }),
  };
  static override flags = {
    home: Flags.string({
      description: 'Folder of the restored home. Default: SVC_HOME, else ~/.svc.',
      helpValue: '<folder>',
    }),
    check: Flags.boolean({ description: 'Only verify the backup.' }),
  };

  async run(): Promise<RestoreResult | ReadBackup> {
    const { args, flags } = await this.parse(RestoreCommand);
    const { homeDir, env, cwd } = this.io;
    const file = resolve(cwd, args.file);
    if (flags.check) {
      const backup = await readBackup(file, { begin: () => undefined });
      this.print(formatBackupCheck(file, backup));
      return backup;
    }
    const place = { env, homeDir, flags: {}, packageRoot: findPackageRoot(import.meta.url) };
    const home =
      flags.home === undefined
        ? resolveConfigPlace(place).home
        : resolveUserPath(flags.home, cwd, homeDir);
    refusePairedHome(home);
    const result = await restoreHome({
      file,
      home,
      release: this.config.version,
      schema: STORE_VERSION,
      pid: process.pid,
      isAlive: isProcessAlive,
      ids: randomIds,
      findProblems(stateDb) {
        const storeCondition = inspectStore(stateDb);
        return storeCondition.held ? ['it is in use'] : storeCondition.problems;
      },
    });
    // Not before: a restore writes into an empty home alone.
    const act = { at: this.io.now(), action: 'restore', target: { file: basename(file) } };
    await runOfflineAct(home, act, async () => undefined);
    this.print(formatRestore(result));
    return result;
  }
}
