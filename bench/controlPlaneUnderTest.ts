import type { ChildProcess } from 'node:child_process';
import { MAX_REQUEST_LIMIT } from '../src/base/limits/requestLimit.ts';
import {
  endProgram,
  readProcessorTime,
  readResidentMemory,
  startProgram,
} from './programUnderTest.ts';

/** Longest start before the bench gives up, ms. */
const START_MS = 60_000;

interface StartOptions {
  home: string;
  port?: number;
  /** URL of a database; left out: svc starts one of its own. */
  database?: string;
  /** What secrets are sealed with, in base64; needed for webhooks with a database of one's own. */
  key?: string;
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
    { home, port = 0, database, key }: StartOptions,
  ): Promise<ControlPlaneUnderTest> {
    const spawnedAt = performance.now();
    const { DATABASE_URL: _, ...env } = process.env;
    const {
      child,
      ready: url,
      output,
    } = await startProgram({
      name: 'the control plane',
      // Not slowed down: the benches ask as fast as they are answered.
      args: [
        program,
        'cloud',
        'start',
        '--port',
        String(port),
        '--request-limit',
        String(MAX_REQUEST_LIMIT),
      ],
      env: {
        ...env,
        SVC_HOME: home,
        NO_COLOR: '1',
        ...(database === undefined ? {} : { DATABASE_URL: database }),
        ...(key === undefined ? {} : { SVC_CLOUD_KEY: key }),
      },
      startMs: START_MS,
      findReady(output) {
        const address = /listening on (http:\/\/\S+:\d+), for/.exec(output)?.[1];
        // Its last line.
        return output.includes('Ctrl-C') ? address : undefined;
      },
    });
    const health = await fetch(`${url}/health`);
    await health.text();
    const startMs = performance.now() - spawnedAt;
    const link = /\/auth\/owner\/\S+/.exec(output)?.[0] ?? null;
    return new ControlPlaneUnderTest(child, startMs, url, link);
  }

  /** Resident memory, MiB. */
  rss(): number {
    return readResidentMemory(this.#child);
  }

  /** Processor time until now, user and system, ms. */
  cpuMs(): number {
    return readProcessorTime(this.#child);
  }

  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    return endProgram(this.#child, signal);
  }
}
