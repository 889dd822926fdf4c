/**
 * npm run test:node24 [-- words…]
 *
 * Runs the tests with Node 24, fetched from the npm registry.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fetchNode } from './fetchNode.ts';

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

process.chdir(resolve(import.meta.dirname, '..'));
const { program } = fetchNode(24);
run(program, ['--version']);
run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--quiet']);
run(program, ['--import', 'tsx', 'test/run.ts', ...process.argv.slice(2)]);
