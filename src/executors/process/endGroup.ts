import { findErrorCode } from '../../base/errors/findErrorCode.ts';
import { sleep } from '../../base/time/waiting.ts';
import type { Clock } from '../../base/time/clock.ts';
import { listLiveMembers } from './processTable.ts';

/** Waits between checks of a group that is ending, ms; the last one repeats. */
const POLL_MS = [2, 5, 10, 20, 50];
/**
 * After this many checks the group may hold only zombies, which no signal removes; then the process
 * table decides.
 */
const LOOKS_BEFORE_TABLE = 4;
/**
 * Longest wait after SIGKILL, ms: a process that hangs in the kernel stays, and nothing more can be
 * done.
 */
const KILL_WAIT_MS = 5_000;

/**
 * Sends a signal to every process of a group; false when the group is empty. Signal 0 only tests.
 */
function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  // kill(-1) and kill(0) would signal everybody and ourselves.
  if (!Number.isInteger(pgid) || pgid <= 1) return false;
  try {
    process.kill(-pgid, signal);
    return true;
  } catch (error) {
    // EPERM: there are members, none of which we may signal.
    return findErrorCode(error) === 'EPERM';
  }
}

async function waitForGroupEnd(clock: Clock, pgid: number, deadline: number): Promise<boolean> {
  for (let look = 0; ; look += 1) {
    if (!signalGroup(pgid, 0)) return true;
    if (look >= LOOKS_BEFORE_TABLE && (await listLiveMembers(pgid))?.length === 0) return true;
    const remainingMs = deadline - clock.now();
    if (remainingMs <= 0) return false;
    await sleep(clock, Math.min(remainingMs, POLL_MS[Math.min(look, POLL_MS.length - 1)] ?? 50));
  }
}

/**
 * Ends a whole process group: SIGTERM, after `graceMs` SIGKILL. Resolves true when no living member
 * is left, false when one survived SIGKILL.
 */
export async function endGroup(clock: Clock, pgid: number, graceMs: number): Promise<boolean> {
  if (!signalGroup(pgid, 'SIGTERM')) return true;
  // A stopped process (SIGSTOP) gets SIGTERM only when it continues.
  signalGroup(pgid, 'SIGCONT');
  if (await waitForGroupEnd(clock, pgid, clock.now() + graceMs)) return true;
  signalGroup(pgid, 'SIGKILL');
  return waitForGroupEnd(clock, pgid, clock.now() + KILL_WAIT_MS);
}
