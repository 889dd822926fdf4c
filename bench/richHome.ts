import { writeHome } from './home.ts';
import { openJobKernel } from './jobKernel.ts';
import type { Lab } from './lab.ts';
import { SILENT_PORTS, seedRich } from './seedJobs.ts';

/** Jobs in a home in daily use. */
export const RICH_JOBS = 50;

/** A home with a few jobs that have every kind of data; also returns their ids. */
export async function richHome(lab: Lab): Promise<{ home: string; ids: string[] }> {
  const home = lab.folder('rich');
  writeHome(home);
  await using opened = await openJobKernel(home, SILENT_PORTS);
  return { home, ids: await seedRich(opened.kernel, RICH_JOBS) };
}
