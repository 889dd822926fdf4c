import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspectStore, type StoreCondition } from '../../src/durable/sqlite/inspectStore.ts';
import { lostState } from '../../src/durable/sqlite/lostState.ts';
import { type Finding, failed, ok, warning } from './check.ts';

export interface Holder {
  pid: number;
  alive: boolean;
}

/** The process that the lock file names; null where there is none. */
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

/** The lock on the database counts; the file beside it only names the one who has it. */
export function judgeStore(
  condition: StoreCondition,
  file: string,
  holder: Holder | null,
  answers: boolean,
): Finding {
  if (condition.held) {
    const who = holder === null ? 'a process' : `process ${holder.pid}`;
    if (answers) return ok(`held by the runner (${who})`);
    return warning(
      `${who} holds ${file}, and no runner answers`,
      holder?.alive
        ? `It may be starting. Else end it: kill ${holder.pid}.`
        : 'Find the program that has the file open (lsof) and end it.',
    );
  }
  if (condition.problems.length > 0) {
    return failed(
      `${file} is damaged: ${condition.problems.join('; ')}`,
      `Keep a copy of it, and put a good one back; sqlite3 ${file} .recover saves what is whole.`,
    );
  }
  const left =
    holder === null
      ? ''
      : `; process ${holder.pid}, the last to have it, ended without giving it back, which does no harm`;
  return ok(`${file} is whole${left}`);
}

/** Reads nothing of a store that somebody has. */
export function checkStore(file: string, answers: boolean, workingDir: string): Finding {
  const lost = answers ? null : lostState(file, workingDir);
  if (lost !== null && holderOf(file)?.alive !== true) return failed(lost.detail, lost.fix);
  if (!existsSync(file)) return ok('there is no state yet; svc start makes it');
  return judgeStore(inspectStore(file), file, holderOf(file), answers);
}
