import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Longest start before the bench gives up, ms. */
const START_MS = 15_000;
/** Of the fields of /proc/<pid>/stat after the name, user time; system time is the next one. */
const USER_TICKS = 11;
/** Linux counts in hundredths of a second, ms. */
const TICK_MS = 10;

/** The bundled runner as a person starts it, on a home that is given. */
export class RunnerUnderTest {
  readonly port: number;
  /** `performance.now()` of the instant before the process was made. */
  readonly spawnedAt: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, spawnedAt: number, port: number) {
    this.#child = child;
    this.spawnedAt = spawnedAt;
    this.port = port;
  }

  /**
   * Resolves as soon as the runner says where it listens: from then on it answers. `env`: what it gets
   * of the environment; default: all of this process.
   */
  static async start(
    program: string,
    home: string,
    env: NodeJS.ProcessEnv = process.env,
  ): Promise<RunnerUnderTest> {
    const spawnedAt = performance.now();
    const child = spawn(process.execPath, [program, 'start', '--no-open', '--port', '0'], {
      env: { ...env, SVC_HOME: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    let said = '';
    const port = await new Promise<number>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`the runner ${why}:\n${said}`));
      const late = setTimeout(() => fail('does not start'), START_MS);
      const hear = (bytes: Buffer) => {
        said += bytes;
        const found = /listening on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
        if (found === undefined) return;
        clearTimeout(late);
        resolve(Number(found));
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => fail(`ended with ${code}`));
    });
    return new RunnerUnderTest(child, spawnedAt, port);
  }

  /** Resident memory of the process, MiB. */
  rss(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Processor time of the process until now, user and system, ms; NaN where /proc does not tell. */
  cpuMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
      // After the name of the program, which may contain anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[USER_TICKS]) + Number(fields[USER_TICKS + 1])) * TICK_MS;
    } catch {
      return Number.NaN;
    }
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }
}
