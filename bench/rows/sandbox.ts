import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramStart } from '../../src/contract/session/sandbox.ts';
import { NO_SANDBOX } from '../../src/base/agents/sandboxProfiles.ts';
import { findProgramOnPath } from '../../src/executors/process/findProgramOnPath.ts';
import {
  resolveHostProgram,
  SessionSandboxes,
} from '../../src/executors/sandbox/sessionSandboxes.ts';
import type { OpenedSandbox } from '../../src/executors/sandbox/sandboxes.ts';
import { under } from '../figure.ts';
import type { Lab } from '../lab.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

/** Starts of each kind; the first of each does not count. */
const ROUNDS = 30;
const SESSIONS = 100;
const START: ProgramStart = { program: '/bin/true', args: [] };

async function stage(lab: Lab) {
  const home = lab.folder('sandbox');
  const jobDir = join(home, 'work', 'job');
  await mkdir(jobDir, { recursive: true });
  const packageRoot = join(await lab.program(), '..', '..', '..');
  const sandboxes = (profile: 'runtime' | 'bubblewrap') =>
    new SessionSandboxes({
      home,
      personHome: homedir(),
      programs: [packageRoot, process.execPath],
      host: resolveHostProgram(packageRoot, false),
      probe: async () => ({ profile, lacks: null }),
      bwrap: () => findProgramOnPath('bwrap') ?? 'bwrap',
    });
  const open = (profile: 'runtime' | 'bubblewrap'): Promise<OpenedSandbox> =>
    sandboxes(profile).open({
      settings: { ...NO_SANDBOX, sandbox: 'required' },
      unattended: false,
      executor: 'command',
      places: { home, workingDir: join(home, 'work'), jobDir, shared: [] },
      layer: null,
      hosts: [],
      toolUrl: 'http://127.0.0.1:1/mcp/bench',
      sessionDir: jobDir,
    });
  const time = ({ program, args }: ProgramStart): number => {
    const from = performance.now();
    const { status, stderr } = spawnSync(program, args, { cwd: jobDir, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    return performance.now() - from;
  };
  const session = async (profile: 'runtime' | 'bubblewrap'): Promise<number> => {
    const from = performance.now();
    const opened = await open(profile);
    const start = opened.sandbox?.wrap(START, jobDir) ?? START;
    const openMs = performance.now() - from;
    const took = time(start);
    await opened.close();
    return openMs + took;
  };
  return { home, session, bare: () => time(START) };
}

/** Names in the folder for temporary files, and processes whose arguments name this home. */
function listLeftFiles(home: string): string[] {
  const files = readdirSync(tmpdir()).filter((name) => /^(?:svc-sandbox|srt-|claude-)/.test(name));
  const processes = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(home);
    } catch {
      return false;
    }
  });
  return [...files, ...processes];
}

/** What a sandbox adds to a session, and the files and processes that 100 sessions leave. */
export const sandboxRow: Row = {
  figures: ['sandbox.runtime', 'sandbox.bubblewrap', 'sandbox.left'],
  programs: ['bwrap', 'socat', 'rg'],
  async measure(lab, note) {
    const { home, session, bare } = await stage(lab);
    const before = listLeftFiles(home).length;
    const more = { runtime: [] as number[], bubblewrap: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const profile of ['runtime', 'bubblewrap'] as const) {
        const base = bare();
        const ms = (await session(profile)) - base;
        if (round > 0) more[profile].push(ms);
      }
    for (let n = 2 * ROUNDS; n < SESSIONS; n += 1) await session('runtime');
    note(`without a sandbox: ${bare().toFixed(1)} ms`);
    return {
      'sandbox.runtime': under({ value: median(more.runtime), unit: 'ms', target: 500 }),
      'sandbox.bubblewrap': under({ value: median(more.bubblewrap), unit: 'ms', target: 10 }),
      'sandbox.left': under({ value: listLeftFiles(home).length - before, unit: '', target: 1 }),
    };
  },
};
