import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspectHomeToRemove } from '../../src/host/uninstall/inspectHomeToRemove.ts';
import { BACKUP } from './backup.ts';
import { START_FILE } from './job.ts';
import type { Machine } from './machine.ts';
import { readTree } from './tree.ts';

const OWN = ['team', 'titles.git', 'titles-work', 'greeter', '.bashrc', BACKUP];

/**
 * `svc uninstall` with a runner that runs as a service, and throws where anything is left but the person's
 * own files and the home of svc, which it announces.
 */
export async function uninstall(machine: Machine): Promise<string> {
  const homePath = join(machine.home, '.svc');
  const out = await machine.svc(['uninstall', '--yes']);
  if (!out.includes(`The home stays, with every job: ${homePath}\n`))
    throw new Error(`svc uninstall does not name the home:\n${out}`);
  const leftFiles = [...readTree(machine.prefix).keys()];
  if (leftFiles.length > 0)
    throw new Error(`left in the prefix: ${leftFiles.slice(0, 5).join(', ')}`);
  if (!existsSync(join(homePath, 'state.db')))
    throw new Error('the home is gone, and was to be kept');
  if (existsSync(join(homePath, 'programs'))) throw new Error('copies of the program are left');
  const places = new Set(
    [...readTree(machine.home).keys()].map((path) => path.split('/')[0] ?? ''),
  );
  const others = [...places].filter((place) => place !== '.svc' && !OWN.includes(place));
  if (others.length > 0) throw new Error(`left in the home folder: ${others.join(', ')}`);
  if (readFileSync(join(machine.home, '.bashrc'), 'utf8') !== START_FILE)
    throw new Error('.bashrc is not as it was before completion');
  const home = await inspectHomeToRemove(homePath, { userHome: machine.home, hasConfig: true });
  if (home?.others.length !== 0)
    throw new Error(`svc does not know as its own: ${home?.others.join(', ')}`);
  const kiB = [...readTree(homePath).values()].reduce((sum, bytes) => sum + bytes, 0) / 1024;
  rmSync(homePath, { recursive: true });
  return `only ~/.svc is left (${kiB.toFixed(0)} KiB), and the backup`;
}
