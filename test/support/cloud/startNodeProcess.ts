import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

export interface NodeProcess {
  url: string;
  /** With SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

const SOURCE = join(import.meta.dirname, 'nodeProcess.ts');
/** Where packages are found from. */
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/svc/cloud-node');

let program: Promise<string> | null = null;

/** In one file: a node that is started often has to start soon. */
async function buildProgram(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${process.pid}.mjs`);
  await build({
    entryPoints: [SOURCE],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

/** A node of the control plane in a process of its own. */
export async function startNodeProcess(databaseUrl: string): Promise<NodeProcess> {
  program ??= buildProgram();
  const child: ChildProcess = spawn(process.execPath, [await program, databaseUrl], {
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
