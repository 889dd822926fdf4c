import type { ChildProcess } from 'node:child_process';
import {
  endProgram,
  readProcessorTime,
  readResidentMemory,
  startProgram,
} from './programUnderTest.ts';

/** Longest start before the bench gives up, ms. */
const START_MS = 60_000;

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
    const { child, ready: port } = await startProgram({
      name: 'the runner',
      args: [program, 'start', '--no-open', '--port', '0'],
      env: { ...env, SVC_HOME: home, NO_COLOR: '1' },
      startMs: START_MS,
      findReady(output) {
        const digits = /listening on http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
        return digits === undefined ? undefined : Number(digits);
      },
    });
    return new RunnerUnderTest(child, spawnedAt, port);
  }

  /** Resident memory of the process, MiB. */
  rss(): number {
    return readResidentMemory(this.#child);
  }

  /** Processor time of the process until now, user and system, ms; NaN where /proc does not tell. */
  cpuMs(): number {
    return readProcessorTime(this.#child);
  }

  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    return endProgram(this.#child, signal);
  }
}
