import type { Clock } from '../../base/time/clock.ts';
import { endGroup } from './endGroup.ts';
import { listMarkedProcesses, readOwnGroup } from './processTable.ts';
import { endCgroups } from './sessionCgroup.ts';

/** Most rounds: a process that forks while it is ended leaves children to the next round. */
const MAX_ROUNDS = 3;

/**
 * Ends the process groups of all processes whose SVC_MARKER matches, then what is left in the
 * cgroups of these sessions: SIGTERM, after `graceMs` SIGKILL. Returns how many groups. Never ends
 * this process or its own group.
 */
export async function endMarkedProcesses(
  clock: Clock,
  matches: (marker: string) => boolean,
  graceMs: number,
): Promise<number> {
  const own = await readOwnGroup();
  const endedPids = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const processes = await listMarkedProcesses(matches);
    const groups = new Set(
      processes
        .filter(({ pid, pgid, zombie }) => !zombie && pid !== process.pid && pgid !== own)
        .map(({ pgid }) => pgid),
    );
    if (groups.size === 0) break;
    await Promise.all([...groups].map((pgid) => endGroup(clock, pgid, graceMs)));
    for (const pgid of groups) endedPids.add(pgid);
  }
  // Processes that dropped their environment carry no marker.
  return endedPids.size + (await endCgroups(clock, matches, graceMs));
}
