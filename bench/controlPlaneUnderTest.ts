import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Longest start before the bench gives up, ms. */
const START_MS = 60_000;
/** Of the fields of /proc/<pid>/stat after the name, user time; system time is the next one. */
const USER_TICKS = 11;
/** Linux counts in hundredths of a second, ms. */
const TICK_MS = 10;

interface StartOptions {
  home: string;
  port?: number;
  /** URL of a database; left out: svc starts one of its own. */
  database?: string;
}

/** `svc cloud start` as a person starts it. */
export class ControlPlaneUnderTest {
  /** Where it listens. */
  readonly url: string;
  /** For the first owner; null = someone has an account. */
  readonly ownerLink: string | null;
  /** From the instant before the process was made until it answered, ms. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, startMs: number, url: string, link: string | null) {
    this.#child = child;
    this.startMs = startMs;
    this.url = url;
    this.ownerLink = link;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  static async start(
    program: string,
    { home, port = 0, database }: StartOptions,
  ): Promise<ControlPlaneUnderTest> {
    const spawnedAt = performance.now();
    const { DATABASE_URL: _, ...env } = process.env;
    const child = spawn(process.execPath, [program, 'cloud', 'start', '--port', String(port)], {
      env: {
        ...env,
        SVC_HOME: home,
        NO_COLOR: '1',
        ...(database === undefined ? {} : { DATABASE_URL: database }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`the control plane ${why}:\n${said}`));
      const late = setTimeout(() => fail('does not start'), START_MS);
      const hear = (bytes: Buffer) => {
        said += bytes;
        const found = /listening on (http:\/\/\S+:\d+), for/.exec(said)?.[1];
        // Its last line.
        if (found === undefined || !said.includes('Ctrl-C')) return;
        clearTimeout(late);
        resolve(found);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => fail(`ended with ${code}`));
    });
    const health = await fetch(`${url}/health`);
    await health.text();
    const startMs = performance.now() - spawnedAt;
    const link = /\/auth\/owner\/\S+/.exec(said)?.[0] ?? null;
    return new ControlPlaneUnderTest(child, startMs, url, link);
  }

  /** Resident memory, MiB. */
  rss(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Processor time until now, user and system, ms. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
    // After the name of the program, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[USER_TICKS + 1])) * TICK_MS;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }
}
