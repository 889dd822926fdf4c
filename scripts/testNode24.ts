/**
 * npm run test:node24 [-- words…]
 *
 * Runs the tests with Node 24. The binary comes from the npm registry into a folder outside the
 * project: as a dependency of the project it would be in node_modules/.bin, and every npm script
 * would run with it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MAJOR = 24;
// The package of this platform itself: `node` would fetch it in an install script, which npm may
// refuse to run.
const name = `node-${process.platform}-${process.arch}`;
const prefix = join(tmpdir(), `svc-node${MAJOR}`);
const node = join(prefix, 'node_modules', name, 'bin', 'node');

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

process.chdir(resolve(import.meta.dirname, '..'));
if (!existsSync(node)) {
  mkdirSync(prefix, { recursive: true });
  run('npm', [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--no-fund',
    '--no-audit',
    `${name}@${MAJOR}`,
  ]);
}
run(node, ['--version']);
run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--quiet']);
run(node, ['--import', 'tsx', 'test/run.ts', ...process.argv.slice(2)]);
