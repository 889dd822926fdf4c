import { writeHome } from './home.ts';
import { openJobKernel } from './jobKernel.ts';
import type { Lab } from './lab.ts';
import { SILENT_PORTS, seedRich } from './seedJobs.ts';

/** Jobs of a home that is in daily use. */
export const RICH_JOBS = 50;

/** A home with a few jobs that have of everything what a job has; answers their ids, too. */
export async function richHome(lab: Lab): Promise<{ home: string; ids: string[] }> {
  const home = lab.folder('rich');
  writeHome(home);
  await using opened = await openJobKernel(home, SILENT_PORTS);
  return { home, ids: await seedRich(opened.kernel, RICH_JOBS) };
}
