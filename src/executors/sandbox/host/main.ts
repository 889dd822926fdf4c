/**
 * The program around a session in the profile `runtime`: it holds the proxy that filters hosts,
 * starts the agent inside, and ends with its exit code. A process for each session: hosts differ,
 * and what it has started ends with it.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { pathToFileURL } from 'node:url';
import { buildInsideCommand } from './buildInsideCommand.ts';
import type { HostPolicy } from './policy.ts';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Row {
  pid: number;
  parent: number;
  /** How many namespaces of processes it is in. */
  depth: number;
}

function readProcessRow(pid: string): Row | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1] ?? 0);
    const depth = /^NSpid:\t(.*)$/m.exec(status)?.[1]?.split('\t').length ?? 1;
    return { pid: Number(pid), parent, depth };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** The processes below `root` that are innermost: those of the agent, and not those around it. */
export function pickInnermostProcesses(rows: readonly Row[], root: number): number[] {
  const below = new Set([root]);
  // Parents have lower numbers only until numbers begin again: as often as it takes.
  for (let grew = true; grew; ) {
    const more = rows.filter(({ pid, parent }) => below.has(parent) && !below.has(pid));
    for (const { pid } of more) below.add(pid);
    grew = more.length > 0;
  }
  const inside = rows.filter(({ pid }) => pid !== root && below.has(pid));
  const deepest = Math.max(0, ...inside.map(({ depth }) => depth));
  return inside.filter(({ depth }) => depth === deepest).map(({ pid }) => pid);
}

/** The processes of the agent in the sandbox that `root` has started; only on Linux. */
function findSandboxedProcesses(root: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pickInnermostProcesses(
    pids.map(readProcessRow).filter((row) => row !== null),
    root,
  );
}

/** The part of the sandbox runtime that is used. It is not part of svc: people install it. */
interface SandboxRuntime {
  initialize(config: RuntimeConfig, ask: undefined, watches: boolean): Promise<void>;
  wrapWithSandbox(
    command: string,
    shell: undefined,
    config: undefined,
    signal: undefined,
    options: { commandId: string },
  ): Promise<string>;
  getSandboxViolationStore(): {
    subscribe(listener: (all: readonly { line: string }[]) => void): () => void;
  };
  cleanupAfterCommand(): void;
  reset(): Promise<void>;
}

interface RuntimeConfig {
  network: { allowedDomains: string[]; deniedDomains: string[]; strictAllowlist: true };
  filesystem: {
    denyRead: string[];
    allowRead: string[];
    allowWrite: string[];
    denyWrite: string[];
    allowGitConfig: true;
  };
  mandatoryDenySearchDepth: 1;
}

const isRuntime = (value: unknown): value is SandboxRuntime =>
  typeof value === 'object' && value !== null && 'wrapWithSandbox' in value;

/** Loads it from a file; throws where it is something else. */
async function loadRuntime(entry: string): Promise<SandboxRuntime> {
  const { SandboxManager }: { SandboxManager?: unknown } = await import(entry);
  if (isRuntime(SandboxManager)) return SandboxManager;
  throw new Error(`${entry} is not the sandbox runtime.`);
}

/**
 * Hands requests on to the tool server of the session and to nothing else of the runner: a proxy
 * filters hosts, and the runner answers more at the same address. Answers the address to ask.
 */
async function forwardTools(toolUrl: string): Promise<string> {
  const target = new URL(toolUrl);
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    // Below it are the external servers of the session.
    const isOfSession =
      path === target.pathname || /^\/[A-Za-z0-9._-]+$/.test(path.slice(target.pathname.length));
    if (!path.startsWith(target.pathname) || !isOfSession) {
      outgoing.writeHead(404).end();
      return;
    }
    const { host: _, connection: _connection, ...headers } = incoming.headers;
    const asked = request(new URL(path, target), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // The inside sees what a runner that has stopped looks like: no answer.
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${target.pathname}`;
}

/** Most refusals of a session that are reported. */
export const MAX_REFUSALS = 100;

/** Places that the sandbox provides itself: what is written there is refused by no one. */
const OF_ITS_OWN = /^deny \S+ \/(?:dev|proc|tmp)(?:\/|$)/;

/** Decides which refusals are reported: each once, and not more than {@link MAX_REFUSALS}. */
export class Refusals {
  readonly #seen = new Set<string>();

  /** The line as it is reported; null = it is not. */
  take(line: string): string | null {
    const short = line.replace(/[\r\n]+/g, ' ').slice(0, 300);
    if (OF_ITS_OWN.test(short) || this.#seen.has(short) || this.#seen.size >= MAX_REFUSALS)
      return null;
    this.#seen.add(short);
    return short;
  }
}

/** Attributes what is refused; the same for all of a session. */
const COMMAND_ID = 'svc';
const FAILED = 70;

async function runHostedProgram([file = '', ...argv]: readonly string[]): Promise<number> {
  const policy: HostPolicy = JSON.parse(readFileSync(file, 'utf8'));
  const { write, hide, show, hosts, dir, cwd } = policy;
  const temporary = process.env.TMPDIR ?? '/tmp';
  // Its sockets are in the folder that goes with the session, and nothing of the checkout is
  // protected on its own.
  process.env.TMPDIR = dir;
  process.chdir(dir);
  const runtime = await loadRuntime(pathToFileURL(policy.entry).href);
  const toolUrl = await forwardTools(policy.toolUrl);
  await runtime.initialize(
    {
      network: {
        allowedDomains: [...hosts, new URL(toolUrl).host],
        deniedDomains: [],
        strictAllowlist: true,
      },
      filesystem: {
        denyRead: hide.filter((path) => existsSync(path)),
        allowRead: [...show, ...write, dir],
        allowWrite: [...write],
        denyWrite: [],
        allowGitConfig: true,
      },
      mandatoryDenySearchDepth: 1,
    },
    undefined,
    true,
  );
  const refusals = new Refusals();
  runtime.getSandboxViolationStore().subscribe((all) => {
    for (const { line } of all) {
      const shown = refusals.take(line);
      if (shown !== null) appendFileSync(policy.refused, `${shown}\n`);
    }
  });
  const inside = buildInsideCommand({
    argv,
    cwd,
    temporary,
    toolUrl,
    wayFile: policy.wayFile,
    hosts,
    platform: process.platform,
  });
  const wrapped = await runtime.wrapWithSandbox(inside, undefined, undefined, undefined, {
    commandId: COMMAND_ID,
  });
  const child = spawn('/bin/sh', ['-c', `exec ${wrapped}`], { stdio: 'inherit', detached: true });
  const end = (signal: NodeJS.Signals) => {
    const { pid } = child;
    if (pid === undefined) return;
    // A signal to what is around the agent would end that at once, and the agent with it.
    const targets = process.platform === 'linux' ? findSandboxedProcesses(pid) : [-pid];
    for (const target of targets) {
      try {
        process.kill(target, signal);
      } catch {
        // Gone meanwhile.
      }
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => end(signal));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit, signal) =>
      resolve(exit ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  runtime.cleanupAfterCommand();
  await runtime.reset();
  return code;
}

runHostedProgram(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(
      `The sandbox could not be started: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(FAILED);
  },
);
