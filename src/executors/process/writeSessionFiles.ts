import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';

const SECRET_FILE = 'mcp.json';

interface McpFile {
  url: string;
  token: string;
  headers: { Authorization: string };
  /** All servers by id, the runner's own first, in the form that agent hosts read. */
  mcpServers: Record<string, Record<string, unknown>>;
}

/**
 * A tool server of the session as a program, without secrets in its arguments. `server`: id of an
 * external one; left out = the runner's own.
 */
export const buildBridgeStart = (
  sessionDir: string,
  server?: string,
): { command: string; args: string[] } => ({
  command: 'svc',
  args: ['mcp-bridge', sessionDir, ...(server === undefined ? [] : [server])],
});

/**
 * An external server as the agent reaches it: one that the runner serves is a program if a sandbox
 * cuts the network off.
 */
export const reachServer = (
  server: McpServer,
  {
    tools,
    sandbox,
    sessionDir,
    env,
  }: Pick<SessionRequest, 'tools' | 'sandbox' | 'sessionDir' | 'env'>,
): McpServer =>
  sandbox?.bridge && server.url?.startsWith(`${tools.url}/`)
    ? {
        ...server,
        transport: 'stdio',
        ...buildBridgeStart(sessionDir, server.id),
        // Some agents start servers without their own environment.
        env: { PATH: env.PATH ?? '' },
        url: null,
        headers: {},
      }
    : server;

const toServerEntry = (server: McpServer): Record<string, unknown> => {
  const { transport, command, args, env, url, headers, allowedTools, disallowedTools } = server;
  return {
    type: transport,
    ...(transport === 'stdio' ? { command, args, env } : { url, headers }),
    ...(allowedTools === null ? {} : { allowedTools }),
    ...(disallowedTools.length === 0 ? {} : { disallowedTools }),
  };
};

/**
 * Path of the file with the session's tool servers and their secrets; the path itself may appear in
 * arguments.
 */
export const resolveServersFile = (sessionDir: string): string => join(sessionDir, SECRET_FILE);

export const removeSecretFile = (sessionDir: string): Promise<void> =>
  rm(resolveServersFile(sessionDir), { force: true });

/**
 * Writes what the agent reads into the session's folder (0700): `system.md`, `kickoff.md`,
 * `session.json` { jobId, visit, session, phase, llm } and `mcp.json` { url, token, headers,
 * mcpServers }, all 0600.
 */
export async function writeSessionFiles({
  sessionDir,
  tools,
  mcpServers,
  ...request
}: SessionRequest): Promise<void> {
  await mkdir(sessionDir, { recursive: true, mode: 0o700 });
  await chmod(sessionDir, 0o700);
  const { jobId, visit, session, phase, llm } = request;
  const headers = { Authorization: `Bearer ${tools.token}` };
  const mcp: McpFile = {
    ...tools,
    headers,
    mcpServers: {
      svc: request.sandbox?.bridge
        ? { type: 'stdio', ...buildBridgeStart(sessionDir), env: {} }
        : { type: 'http', url: tools.url, headers },
      ...Object.fromEntries(
        mcpServers.map((server) => [
          server.id,
          toServerEntry(reachServer(server, { ...request, sessionDir, tools })),
        ]),
      ),
    },
  };
  const files = {
    'system.md': request.systemPrompt,
    'kickoff.md': request.kickoff,
    'session.json': `${JSON.stringify({ jobId, visit, session, phase, llm })}\n`,
    [SECRET_FILE]: `${JSON.stringify(mcp)}\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    const file = join(sessionDir, name);
    // An earlier attempt may have left a link here; following it would write elsewhere.
    await rm(file, { force: true });
    await writeFile(file, content, { mode: 0o600, flag: 'wx' });
  }
}
