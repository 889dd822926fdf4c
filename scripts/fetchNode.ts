import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Another version of Node, from the npm registry into a folder outside the project: as a dependency
 * of the project it would be in node_modules/.bin, and every npm script would run with it. Throws
 * where npm fails.
 */
export function fetchNode(major: number): { program: string; folder: string } {
  // The package of this platform itself: `node` would fetch it in an install script, which npm may
  // refuse to run.
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(tmpdir(), `svc-node${major}`);
  const folder = join(prefix, 'node_modules', name, 'bin');
  const program = join(folder, 'node');
  if (!existsSync(program)) {
    mkdirSync(prefix, { recursive: true });
    const args = ['install', '--prefix', prefix, '--no-save', '--no-fund', '--no-audit'];
    const { status, error } = spawnSync('npm', [...args, `${name}@${major}`], { stdio: 'inherit' });
    if (error) throw error;
    if (status !== 0) throw new Error(`npm could not fetch Node ${major}`);
  }
  return { program, folder };
}
