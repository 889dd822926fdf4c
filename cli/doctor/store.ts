import { isProcessAlive } from '../../src/base/system/process/isProcessAlive.ts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspectStore, type StoreCondition } from '../../src/kernel/sqlite/inspectStore.ts';
import { compareReleases } from '../../src/base/settings/compareReleases.ts';
import { describeNewerStore } from '../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import { describeNewerRelease } from '../../src/kernel/sqlite/takeOverState.ts';
import { findLostState } from '../../src/jobs/store/findLostState.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

export interface LockHolder {
  pid: number;
  alive: boolean;
}

/** The process that the lock file names; null if it names none. */
function readLockHolder(file: string): LockHolder | null {
  let pid: unknown;
  try {
    ({ pid } = Object(JSON.parse(readFileSync(join(dirname(file), 'runner.lock.json'), 'utf8'))));
  } catch {
    return null;
  }
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return null;
  return { pid, alive: isProcessAlive(pid) };
}

const NEWER_ADVICE = 'Use the svc that last ran on this home, or another home (SVC_HOME).';

/**
 * The lock on the database counts; the file next to it only names its holder. `release`: that of
 * this program.
 */
export function diagnoseStore(
  condition: StoreCondition,
  file: string,
  holder: LockHolder | null,
  answers: boolean,
  release = '',
): Finding {
  if (condition.held) {
    const who = holder === null ? 'a process' : `process ${holder.pid}`;
    if (answers) return toOkFinding(`held by the runner (${who})`);
    return toWarningFinding(
      `${who} holds ${file}, and no runner answers`,
      holder?.alive
        ? `It may be starting. Otherwise, end it: kill ${holder.pid}.`
        : 'Find the program that has the file open (lsof) and end it.',
    );
  }
  if (condition.problems.length > 0) {
    return toErrorFinding(
      `${file} is damaged: ${condition.problems.join('; ')}`,
      `Keep a copy of it and restore a good one; sqlite3 ${file} .recover saves what is intact.`,
    );
  }
  if (condition.version > MIGRATIONS.length)
    return toErrorFinding(
      describeNewerStore(file, condition.version, MIGRATIONS.length, release),
      NEWER_ADVICE,
    );
  if (condition.release !== null && compareReleases(release, condition.release) < 0)
    return toErrorFinding(
      describeNewerRelease(file, condition.release, release, MIGRATIONS.length),
      NEWER_ADVICE,
    );
  const holderNote =
    holder === null
      ? ''
      : `; process ${holder.pid}, its last user, exited without releasing it; this is harmless`;
  return toOkFinding(`${file} is intact${holderNote}`);
}

/** Does not read a store that is in use. `release`: that of this program. */
export function checkStore(
  file: string,
  answers: boolean,
  workingDir: string,
  release: string,
): Finding {
  const lostState = answers ? null : findLostState(file, workingDir);
  if (lostState !== null && readLockHolder(file)?.alive !== true)
    return toErrorFinding(lostState.detail, lostState.fix);
  if (!existsSync(file)) return toOkFinding('no state yet; svc start creates it');
  return diagnoseStore(inspectStore(file), file, readLockHolder(file), answers, release);
}
