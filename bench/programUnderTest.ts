import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Of the fields of /proc/<pid>/stat after the name, user time; system time is the next one. */
const USER_TICKS = 11;
/** Linux counts in hundredths of a second, ms. */
const TICK_MS = 10;

interface ProgramStart<Ready> {
  /** For errors, such as `the runner`. */
  name: string;
  /** Of node. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Longest start before the bench gives up, ms. */
  startMs: number;
  /** What the output so far says once the program answers; undefined = not yet. */
  findReady: (output: string) => Ready | undefined;
}

/** Resolves when the program has printed that it is ready. It is killed when this process exits. */
export async function startProgram<Ready>({
  name,
  args,
  env,
  startMs,
  findReady,
}: ProgramStart<Ready>): Promise<{ child: ChildProcess; ready: Ready; output: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let output = '';
  const ready = await new Promise<Ready>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${name} ${why}:\n${output}`));
    const late = setTimeout(() => fail('does not start'), startMs);
    const hear = (bytes: Buffer) => {
      output += bytes;
      const match = findReady(output);
      if (match === undefined) return;
      clearTimeout(late);
      resolve(match);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
  return { child, ready, output };
}

/** Resident memory of a process, MiB. */
export function readResidentMemory({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Processor time of a process until now, user and system, ms; NaN where /proc does not tell. */
export function readProcessorTime({ pid }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name of the program, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[USER_TICKS + 1])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

export async function endProgram(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
