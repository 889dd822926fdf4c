/**
 * The program around a session in the profile `runtime`: it runs the proxy that filters hosts,
 * starts the agent inside, and exits with its code. One process for each session: hosts differ, and
 * its children end with it.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { pathToFileURL } from 'node:url';
import { buildInsideCommand } from './buildInsideCommand.ts';
import { findSandboxedProcesses } from './findSandboxedProcesses.ts';
import type { HostPolicy } from './policy.ts';
import { Refusals } from './refusals.ts';
import { loadRuntime } from './runtime.ts';
import { forwardTools } from './toolForwarder.ts';

/** Identifies refusals; the same for all of a session. */
const COMMAND_ID = 'svc';
const FAILED = 70;

async function runHostedProgram([file = '', ...argv]: readonly string[]): Promise<number> {
  const policy: HostPolicy = JSON.parse(readFileSync(file, 'utf8'));
  const { write, hide, show, hosts, dir, cwd } = policy;
  const temporary = process.env.TMPDIR ?? '/tmp';
  // The sockets lie in the session's folder, and nothing of the checkout is protected separately.
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
      const refusal = refusals.take(line);
      if (refusal !== null) appendFileSync(policy.refused, `${refusal}\n`);
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
  const wrappedCommand = await runtime.wrapWithSandbox(inside, undefined, undefined, undefined, {
    commandId: COMMAND_ID,
  });
  const child = spawn('/bin/sh', ['-c', `exec ${wrappedCommand}`], {
    stdio: 'inherit',
    detached: true,
  });
  const end = (signal: NodeJS.Signals) => {
    const { pid } = child;
    if (pid === undefined) return;
    // A signal to the processes around the agent would kill it at once.
    const targets = process.platform === 'linux' ? findSandboxedProcesses(pid) : [-pid];
    for (const target of targets) {
      try {
        process.kill(target, signal);
      } catch {
        // The process has ended meanwhile.
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
