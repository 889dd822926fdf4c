import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('lease: a process that was stopped');

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** 0.75 of it is the lease. */
const WINDOW_MS = 800;
const PROGRAM = `
import { Lease } from './src/cloudLink/homes/lease.ts';
import { machineClocks } from './src/cloudLink/homes/machineClocks.ts';
const lease = new Lease(machineClocks);
lease.renew(lease.mark(), ${WINDOW_MS});
console.log(lease.isHeld);
// Whatever runs first after the process was continued.
process.stdin.on('data', () => console.log(lease.isHeld));
`;

test('a process that was stopped for longer than its lease finds it gone at its first look', async () => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM],
    { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.is((await lines.next()).value, 'true');
  child.kill('SIGSTOP');
  child.stdin.write('look\n');
  // No event tells that time has passed for a process that is stopped.
  await wait(WINDOW_MS);
  child.kill('SIGCONT');
  assert.is((await lines.next()).value, 'false');
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test.run();
