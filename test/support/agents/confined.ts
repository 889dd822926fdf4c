import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_SANDBOX, type SandboxProfile } from '../../../src/base/agents/sandboxProfiles.ts';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { openSandboxes } from '../../../src/executors/sandbox/openSandboxes.ts';
import { inspectProfiles } from '../../../src/executors/sandbox/probe.ts';
import { prepare } from './sessionRequest.ts';

export const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Whether the kernel lets this user make namespaces: then a sandbox can be had, and must be. */
export const canNamespaces = (): boolean => spawnSync('unshare', ['-U', 'true']).status === 0;

/** What lacks for a profile on this machine; empty = nothing. */
export const findMissingParts = async (sandboxProfile: SandboxProfile): Promise<string[]> => {
  const machine = { platform: process.platform, path: process.env.PATH, home: tmpdir() };
  const [state] = await inspectProfiles({ ...NO_SANDBOX, sandboxProfile }, machine);
  return (state?.parts ?? []).filter(({ ok }) => !ok).map(({ detail }) => detail);
};

/**
 * A home of svc outside of `/tmp`, with a configuration, a mirror and two jobs, and a tool server
 * that answers every call; for sessions of the first job in the sandbox of this machine.
 */
export async function confinedHome(sandboxProfile: SandboxProfile, sandboxCommand: string[] = []) {
  const home = mkdtempSync('/var/tmp/svc-confined-');
  const at = (path: string): string => join(home, path);
  for (const dir of ['mirrors/shop.git/hooks', 'work/mine/tmp', 'work/mine/home', 'work/theirs'])
    mkdirSync(at(dir), { recursive: true });
  writeFileSync(at('config.json'), '{"token":"planted-in-config"}');
  writeFileSync(at('work/theirs/secret'), 'planted-in-theirs');
  const asked: { url: string; token: string }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', token: request.headers.authorization ?? '' });
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id, method } = Object(JSON.parse(Buffer.concat(parts).toString() || '{}'));
      const result = { structuredContent: { said: method }, content: [] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const toolUrl = `http://127.0.0.1:${port}/mcp/session-1`;
  const sandboxes = openSandboxes({ home, packageRoot, hostEnv: process.env, clock: systemClock });
  const executor = createCommandExecutor({ clock: systemClock, graceMs: 1_000 });
  let serial = 0;

  /** Runs a program as a session of the first job; answers what it said and what was refused. */
  const run = async (command: readonly string[], shared: readonly string[] = []) => {
    serial += 1;
    const jobDir = at('work/mine');
    const sessionDir = join(jobDir, '_sessions', `1.${serial}`);
    const settings = {
      ...NO_SANDBOX,
      sandbox: 'required' as const,
      sandboxProfile,
      sandboxCommand,
    };
    const opened = await sandboxes.open({
      settings,
      unattended: false,
      executor: 'command',
      places: { home, workingDir: at('work'), jobDir, shared },
      layer: null,
      hosts: [],
      toolUrl,
      sessionDir,
    });
    await using prepared = await prepare(command, {
      cwd: jobDir,
      sessionDir,
      sandbox: opened.sandbox,
      tools: { url: toolUrl, token: 'tool-token' },
      env: {
        PATH: `${packageRoot}/cli/bin:${process.env.PATH}`,
        HOME: join(jobDir, 'home'),
        TMPDIR: join(jobDir, 'tmp'),
      },
    });
    const session = await executor.run(prepared.request);
    const result = await session.result;
    const refused = await opened.close();
    const out = prepared.lines('stdout').join('\n');
    return { result, refused, out, err: prepared.lines('stderr').join('\n'), opened };
  };
  return {
    home,
    at,
    port,
    asked,
    run,
    sandboxes,
    personHome: homedir(),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
