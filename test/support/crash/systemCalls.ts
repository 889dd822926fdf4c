import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether strace may trace processes; tests that need it report that they are left out. */
export const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** A running process whose system calls are noted, or answered with an error. */
export interface Tracing {
  /** Lets the process continue as before; returns the recorded calls, one a line. */
  end(): Promise<string>;
}

/** Attaches to a process and its threads. `options` as strace's: `-e inject=fsync:error=EIO`. */
export async function attach(pid: number, ...options: string[]): Promise<Tracing> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-strace-'));
  const file = join(dir, 'calls');
  const child = spawn('strace', ['-f', '-p', String(pid), '-o', file, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const exited = once(child, 'exit');
  while (!output.includes('attached')) {
    if (child.exitCode !== null) throw new Error(`strace did not attach to ${pid}: ${output}`);
    await Promise.race([once(child.stderr, 'data'), exited]);
  }
  return {
    async end() {
      child.kill('SIGINT');
      await exited;
      const calls = readFileSync(file, 'utf8');
      rmSync(dir, { recursive: true, force: true });
      return calls;
    },
  };
}
