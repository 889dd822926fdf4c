import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Longest start before the bench gives up, ms. */
const START_MS = 15_000;

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

  /** Resolves as soon as the runner says where it listens: from then on it answers. */
  static async start(program: string, home: string): Promise<RunnerUnderTest> {
    const spawnedAt = performance.now();
    const child = spawn(process.execPath, [program, 'start', '--no-open', '--port', '0'], {
      env: { ...process.env, SVC_HOME: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }
}
