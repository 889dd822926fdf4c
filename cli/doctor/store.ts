import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspectStore, type StoreCondition } from '../../src/durable/sqlite/inspectStore.ts';
import { compareReleases } from '../../src/domain/releases.ts';
import { newerStore } from '../../src/durable/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/durable/sqlite/migrations.ts';
import { newerRelease } from '../../src/durable/sqlite/release.ts';
import { lostState } from '../../src/durable/sqlite/lostState.ts';
import { type Finding, failed, ok, warning } from './check.ts';

export interface Holder {
  pid: number;
  alive: boolean;
}

/** The process that the lock file names; null if it names none. */
function holderOf(file: string): Holder | null {
  let pid: unknown;
  try {
    ({ pid } = Object(JSON.parse(readFileSync(join(dirname(file), 'runner.lock.json'), 'utf8'))));
  } catch {
    return null;
  }
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
    return { pid, alive: true };
  } catch (error) {
    return { pid, alive: error instanceof Error && 'code' in error && error.code === 'EPERM' };
  }
}

const NEWER_ADVICE = 'Use the svc that last ran on this home, or another home (SVC_HOME).';

/**
 * The lock on the database counts; the file next to it only names its holder. `release`: that of
 * this program.
 */
export function judgeStore(
  condition: StoreCondition,
  file: string,
  holder: Holder | null,
  answers: boolean,
  release = '',
): Finding {
  if (condition.held) {
    const who = holder === null ? 'a process' : `process ${holder.pid}`;
    if (answers) return ok(`held by the runner (${who})`);
    return warning(
      `${who} holds ${file}, and no runner answers`,
      holder?.alive
        ? `It may be starting. Otherwise, end it: kill ${holder.pid}.`
        : 'Find the program that has the file open (lsof) and end it.',
    );
  }
  if (condition.problems.length > 0) {
    return failed(
      `${file} is damaged: ${condition.problems.join('; ')}`,
      `Keep a copy of it and restore a good one; sqlite3 ${file} .recover saves what is intact.`,
    );
  }
  if (condition.version > MIGRATIONS.length)
    return failed(newerStore(file, condition.version, MIGRATIONS.length, release), NEWER_ADVICE);
  if (condition.release !== null && compareReleases(release, condition.release) < 0)
    return failed(newerRelease(file, condition.release, release, MIGRATIONS.length), NEWER_ADVICE);
  const left =
    holder === null
      ? ''
      : `; process ${holder.pid}, its last user, ended without releasing it, which does no harm`;
  return ok(`${file} is intact${left}`);
}

/** Does not read a store that is in use. `release`: that of this program. */
export function checkStore(
  file: string,
  answers: boolean,
  workingDir: string,
  release: string,
): Finding {
  const lost = answers ? null : lostState(file, workingDir);
  if (lost !== null && holderOf(file)?.alive !== true) return failed(lost.detail, lost.fix);
  if (!existsSync(file)) return ok('no state yet; svc start creates it');
  return judgeStore(inspectStore(file), file, holderOf(file), answers, release);
}
