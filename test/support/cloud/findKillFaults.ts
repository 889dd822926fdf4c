import type { RunnerKills } from './killRunners.ts';

/** What is wrong with a run: a job that was made twice, or not at all, or a wait without a reason. Empty = nothing. */
export function findKillFaults({ dispatches, made, jobs, unexplained }: RunnerKills): string[] {
  const keys = made.flat();
  const ids = new Set(dispatches.map(({ id }) => id));
  const faults = [...ids].flatMap((id) => {
    const times = keys.filter((key) => key === id).length;
    return times === 1 ? [] : [`the job of dispatch ${id} was made ${times} times`];
  });
  for (const key of keys) if (!ids.has(key)) faults.push(`${key} is no dispatch`);
  for (const [index, count] of jobs.entries())
    if (count !== made[index]?.length)
      faults.push(`runner ${index} has ${count} jobs of ${made[index]?.length} dispatches`);
  if (unexplained > 0) faults.push(`${unexplained} waits had no reason`);
  return faults;
}
