import { SvcError } from '../../base/errors/errors.ts';
import type { ArchiveLog } from './archive/archiver.ts';
import type { Commits } from './commits.ts';
import type { Database } from './database.ts';
import type { LoggedCommits } from './log/loggedCommits.ts';
import type { StoreLog } from './log/storeLog.ts';

/** A store's log, whose code is loaded when one begins, and what the archiver needs of it. */
export function createStoreLog(db: Database, commits: Commits): StoreLog & ArchiveLog {
  let loggedCommits: LoggedCommits | undefined;
  return {
    async begin(log, start) {
      const { LoggedCommits: Logged } = await import('./log/loggedCommits.ts');
      if (loggedCommits) throw new SvcError('store-failed', `${db.file} has a log already`);
      commits.settle();
      loggedCommits = new Logged(db, log, start);
      commits.takeRoute(loggedCommits);
      db.writer?.rest();
    },
    endSeeding: () => loggedCommits?.endSeeding(),
    end() {
      loggedCommits?.end();
      loggedCommits = undefined;
      commits.takeRoute(undefined);
    },
    mark: () => loggedCommits?.mark('archive'),
    keep: async (path, sha256) => loggedCommits?.keepArchive(path, sha256),
    onChanged: () => loggedCommits?.outside('archive'),
  };
}
