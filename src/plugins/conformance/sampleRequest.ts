import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionRequest } from '../../contract/session/executor.ts';
import type { ExecutorSamples } from '../../contract/runner/plugin.ts';

/** Longest short session, ms. */
export const SHORT_MS = 10_000;
/** The token of the tool server, which no session may reveal. */
export const TOKEN = 'conformance-tool-token-0f8a1c';

/** The request of a session of a sample, with its own folder below `dir`. */
export async function createSampleRequest(
  dir: string,
  session: number,
  sample: NonNullable<ExecutorSamples['short']>,
  onEvent: SessionRequest['onEvent'],
): Promise<SessionRequest> {
  const cwd = join(dir, `session-${session}`);
  await mkdir(cwd, { recursive: true });
  const sessionDir = join(cwd, '.session');
  return {
    jobId: 'conformance-job-1',
    visit: 1,
    session,
    phase: 'conformance',
    cwd,
    sessionDir,
    overlayDir: join(cwd, 'overlay'),
    resume: null,
    systemPrompt: 'You are tested by the conformance kit.',
    kickoff: sample.kickoff ?? 'Say hello.',
    tools: { url: 'http://127.0.0.1:1/mcp/none', token: TOKEN },
    mcpServers: [],
    builtInTools: null,
    llm: { provider: 'conformance', model: null, reasoningEffort: null },
    command: sample.command ?? null,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', SVC_SESSION_DIR: sessionDir },
    limits: { timeMs: SHORT_MS, outputBytes: 1_000_000 },
    marker: `${dir}#${session}`,
    onEvent,
  };
}
