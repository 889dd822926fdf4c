import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Longest start before the bench gives up, ms. */
const START_MS = 60_000;
/** Between two checks whether a server is ready, ms. */
const LOOK_MS = 2;
/** Last output of a server that is shown where it fails, characters. */
const SHOWN = 2_000;

export interface ServerCommand {
  program: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Of the user that it runs as; default: the same as the bench. */
  owner?: { uid: number; gid: number };
  /** `output`: all of it until now. */
  ready(output: string): boolean | Promise<boolean>;
}

const running = new Set<ServerProcess>();
// A bench that is interrupted leaves no server behind.
process.on('exit', () => {
  for (const server of running) for (const pid of server.pids()) kill(pid);
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

export class ServerProcess {
  readonly #child: ChildProcess;
  #said = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    const hear = (bytes: Buffer) => {
      this.#said = (this.#said + bytes).slice(-SHOWN);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
  }

  static async start({ program, args, env, owner, ready }: ServerCommand): Promise<ServerProcess> {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...owner,
    });
    const server = new ServerProcess(child);
    let failed: Error | undefined;
    child.once('error', (error) => {
      failed = error;
    });
    running.add(server);
    const latest = performance.now() + START_MS;
    while (!(await ready(server.#said))) {
      const ending = child.exitCode ?? child.signalCode;
      if (failed || ending !== null || performance.now() > latest) {
        await server.kill();
        const why =
          failed?.message ?? (ending === null ? 'does not start' : `ended with ${ending}`);
        throw new Error(`${program} ${why}:\n${server.#said}`);
      }
      await wait(LOOK_MS);
    }
    return server;
  }

  pids(): number[] {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null)
      return [];
    return [pid, ...listChildren(pid)];
  }

  /** As `kill -9` of all its processes; resolves when they are gone. */
  async kill(): Promise<void> {
    const pids = this.pids();
    if (pids.length > 0) {
      const exited = once(this.#child, 'exit');
      for (const pid of pids) kill(pid);
      await exited;
      while (pids.some(isAlive)) await wait(LOOK_MS);
    }
    running.delete(this);
  }

  /** Memory of all its processes, bytes; what they share is counted once. */
  memory(): number {
    const kib = this.pids().map((pid) =>
      Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
    );
    return kib.reduce((sum, each) => sum + each, 0) * 1024;
  }
}

const readStat = (pid: number | string): string[] => {
  try {
    // The name of the program may hold anything, a closing parenthesis too.
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};

/** A zombie holds no file and no memory. */
const isAlive = (pid: number): boolean => !['Z', 'X', undefined].includes(readStat(pid)[0]);

const listChildren = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readStat(name)[1] === String(parent))
    .map(Number);

/** Ports of the loopback that nothing listens on now. */
export async function freePorts<Name extends string>(
  ...names: Name[]
): Promise<Record<Name, number>> {
  const reservations = await Promise.all(
    names.map(async (name) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { name, server, port: (server.address() as AddressInfo).port };
    }),
  );
  for (const { server } of reservations) server.close();
  return Object.fromEntries(reservations.map(({ name, port }) => [name, port])) as Record<
    Name,
    number
  >;
}
