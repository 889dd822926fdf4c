import type { Machine } from './machine.ts';
import type { InstalledRunner } from './runner.ts';

/** Lets the installed version take over from the runner, in the middle of a job. */
export async function upgrade(
  machine: Machine,
  runner: InstalledRunner,
  version: string,
): Promise<string> {
  const before = await runner.client.health();
  const began = performance.now();
  await machine.svc(['upgrade']);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const after = await runner.client.health();
  if (after.version !== version)
    throw new Error(`the runner is ${after.version} after svc upgrade, not ${version}`);
  return `${before.version} → ${after.version} in ${seconds} s, jobs at work: ${after.jobs.live}`;
}
