import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyJobs } from './copyJobs.ts';
import { writeHome } from './home.ts';
import { openJobKernel } from './jobKernel.ts';
import type { Lab } from './lab.ts';
import { RunnerUnderTest } from './runnerUnderTest.ts';
import { SILENT_PORTS } from './seedJobs.ts';
import { seedTemplates } from './templateJobs.ts';

/** Of 20 jobs that wait: for their pull request, for an approval, or because they were paused. */
const SHARES = { event: 10, approval: 8, paused: 2 };
/** Jobs that have ended for each that waits. */
const ENDED = 0.1;

/**
 * A home with `parked` jobs that wait, and a tenth as many that have ended: four jobs that were
 * really run, and copies of their rows. A million take 18 GB and some minutes. `home`: where it is made;
 * default: a folder that is removed at the end.
 */
export async function millionHome(
  lab: Lab,
  parked: number,
  tell: (line: string) => void,
  home = lab.folder('million'),
): Promise<string> {
  mkdirSync(home, { recursive: true });
  writeHome(home);
  {
    await using opened = await openJobKernel(home, SILENT_PORTS);
    await seedTemplates(opened.kernel);
  }
  // A first start of this release would copy the whole state.
  const program = await lab.program();
  await (await RunnerUnderTest.start(program, home)).end('SIGTERM');
  const share = (of: number) => Math.round((parked * of) / 20);
  copyJobs(
    join(home, 'state.db'),
    {
      event: share(SHARES.event),
      approval: share(SHARES.approval),
      paused: share(SHARES.paused),
      ended: Math.round(parked * ENDED),
    },
    tell,
  );
  return home;
}
