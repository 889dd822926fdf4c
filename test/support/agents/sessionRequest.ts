import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent, SessionRequest } from '../../../src/contract/session/executor.ts';

export interface Prepared {
  dir: string;
  request: SessionRequest;
  events: SessionEvent[];
  /** Lines of one stream; what an agent says in parts counts as lines of stdout. */
  lines(stream: 'stdout' | 'stderr' | 'control'): string[];
  said(pattern: RegExp): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

let serial = 0;

export async function prepare(
  command: readonly string[] | null,
  overrides: Partial<SessionRequest> = {},
): Promise<Prepared> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'svc-executor-')));
  serial += 1;
  const events: SessionEvent[] = [];
  const waiting: { pattern: RegExp; resolve: () => void }[] = [];
  const linesIn = (event: SessionEvent): { stream: string; line: string }[] => {
    if (event.type === 'log') return [event];
    return event.type === 'token'
      ? event.text
          .trimEnd()
          .split('\n')
          .map((line) => ({ stream: 'stdout', line }))
      : [];
  };
  const lines = (stream: string) =>
    events.flatMap(linesIn).flatMap((one) => (one.stream === stream ? [one.line] : []));
  const request: SessionRequest = {
    jobId: 'shop-job-1',
    visit: 2,
    session: 1,
    phase: 'coding',
    cwd: dir,
    sessionDir: join(dir, 'session'),
    overlayDir: join(dir, 'overlay'),
    resume: null,
    systemPrompt: 'You are careful.',
    kickoff: 'Begin.',
    tools: { url: 'http://127.0.0.1:1/mcp/x', token: 'tool-token' },
    mcpServers: [],
    builtInTools: null,
    llm: { provider: 'command', model: null, reasoningEffort: null },
    command,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    limits: { timeMs: 30_000, outputBytes: 1_000_000 },
    marker: `test-${process.pid}-${serial}`,
    onEvent(event) {
      events.push(event);
      for (const { line } of linesIn(event))
        for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve();
    },
    ...overrides,
  };
  return {
    dir,
    request,
    events,
    lines,
    said: (pattern) =>
      new Promise((resolve) => {
        waiting.push({ pattern, resolve });
        if (events.flatMap(linesIn).some(({ line }) => pattern.test(line))) resolve();
      }),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Whether a process still does something (a zombie does not). */
export const isAlive = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !stat.includes(') Z ');
};
