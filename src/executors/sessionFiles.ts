import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionRequest } from './executor.ts';

/** Where a program of the session finds the tool server. */
interface McpFile {
  url: string;
  token: string;
  headers: { Authorization: string };
}

/**
 * Writes what the agent reads into the session's folder (0700): `system.md`, `kickoff.md`, `session.json`
 * { jobId, visit, session, phase } and `mcp.json` { url, token, headers }, all 0600.
 */
export async function writeSessionFiles({ sessionDir, tools, ...request }: SessionRequest): Promise<void> {
  await mkdir(sessionDir, { recursive: true, mode: 0o700 });
  await chmod(sessionDir, 0o700);
  const { jobId, visit, session, phase } = request;
  const mcp: McpFile = { ...tools, headers: { Authorization: `Bearer ${tools.token}` } };
  const files = {
    'system.md': request.systemPrompt,
    'kickoff.md': request.kickoff,
    'session.json': `${JSON.stringify({ jobId, visit, session, phase })}\n`,
    'mcp.json': `${JSON.stringify(mcp)}\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    const file = join(sessionDir, name);
    // An earlier attempt of this session may have left a link in its place; following it would write elsewhere.
    await rm(file, { force: true });
    await writeFile(file, content, { mode: 0o600, flag: 'wx' });
  }
}
