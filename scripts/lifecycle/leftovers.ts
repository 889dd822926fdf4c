import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { treeOf } from './tree.ts';

/** What the person themself put into their home folder. */
const OWN = ['team', 'titles.git', 'titles-work', 'greeter'];

/**
 * Removes the package, and throws where anything is left but the person's own folders and the home
 * of svc, which the documents name.
 */
export async function uninstall(machine: Machine): Promise<string> {
  const args = ['uninstall', '-g', '--prefix', machine.prefix, '@svc/runner'];
  const { code, err } = await machine.run('npm', args);
  if (code !== 0) throw new Error(`npm uninstall ended with ${code}:\n${err}`);
  const left = [...treeOf(machine.prefix).keys()];
  if (left.length > 0) throw new Error(`left in the prefix: ${left.slice(0, 5).join(', ')}`);
  const kept = join(machine.home, '.svc');
  if (!existsSync(kept)) throw new Error('the home of svc is gone, and was to be kept');
  const places = new Set([...treeOf(machine.home).keys()].map((path) => path.split('/')[0] ?? ''));
  const others = [...places].filter((place) => place !== '.svc' && !OWN.includes(place));
  if (others.length > 0) throw new Error(`left in the home folder: ${others.join(', ')}`);
  const kiB = [...treeOf(kept).values()].reduce((sum, bytes) => sum + bytes, 0) / 1024;
  rmSync(kept, { recursive: true });
  return `only ~/.svc is left (${kiB.toFixed(0)} KiB)`;
}
