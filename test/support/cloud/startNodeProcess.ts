import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findTestProgram } from '../findTestProgram.ts';

export interface NodeProcess {
  url: string;
  /** With SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** A node of the control plane in a process of its own. */
export async function startNodeProcess(databaseUrl: string): Promise<NodeProcess> {
  const program = await findTestProgram('test/support/cloud/nodeProcess.ts');
  const child: ChildProcess = spawn(process.execPath, [program, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('the node has no output');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true) throw new Error('the node has ended');
  return {
    url: first.value,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
