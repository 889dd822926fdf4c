import { join } from 'node:path';
import { seededRandom } from '../charts/randomWalk.ts';
import { type KillLoopOptions, killLoop, type LossyDisk, type KillSummary } from './killLoop.ts';
import { buildUnsyncedWrites, type Loss, UnsyncedDisk } from './losePower.ts';

/** Every so many rounds the jobs get time to move on; of the others, every one dies in a sync at the latest. */
const ROUNDS_WITHOUT_SYNC_KILL = [3, 20];
/** A runner dies at one of its first so many syncs; a start needs some of them. */
const MOST_SYNCS = 25;
/** Longest life of a runner, ms: a start on a disk with slow syncs takes a second or more. */
const MOST_LIFE_MS = 4_000;

export interface PowerSummary extends KillSummary {
  commits: { thread: number; inline: number };
  power: {
    /** Kills after which something was not synced and was lost, and how many writes that were. */
    losses: number;
    writesLost: number;
    inSync: number;
  };
}

/**
 * The kill loop on a disk that loses what was not synced: all of it in every second round, else each page by
 * chance. Commits are written by turns on a thread and in the main thread. `dir` is for the library.
 */
export async function powerLoop(
  dir: string,
  options: Omit<KillLoopOptions, 'disk' | 'others'>,
): Promise<{ summary: PowerSummary; problems: string[] }> {
  const chance = seededRandom(options.seed + 1_000);
  const library = buildUnsyncedWrites(dir);
  const power = { losses: 0, writesLost: 0, inSync: 0 };
  const commits = { thread: 0, inline: 0 };
  let below: UnsyncedDisk | undefined;
  const disk: LossyDisk = {
    below(home) {
      below = new UnsyncedDisk(home, join(dir, 'unsynced'), library);
    },
    env(round) {
      const place = round % 2 === 0 ? 'thread' : 'inline';
      const isInSync = ROUNDS_WITHOUT_SYNC_KILL.every((every) => round % every !== 0);
      if (round > 0) commits[place] += 1;
      if (isInSync) power.inSync += 1;
      const sync = isInSync ? 1 + Math.floor(chance() * MOST_SYNCS) : 0;
      return { SVC_COMMITS: place, ...below?.env(sync) };
    },
    losePower(round) {
      const loss: Loss = round % 4 < 2 ? 'all' : 'some';
      const writes = below?.losePower(loss, chance) ?? 0;
      if (writes > 0) power.losses += 1;
      power.writesLost += writes;
      return writes === 0 ? '' : `; ${loss} of ${writes} writes were lost`;
    },
  };
  const { summary, problems } = await killLoop({ mostLifeMs: MOST_LIFE_MS, ...options, disk });
  return { summary: { ...summary, commits, power }, problems };
}
