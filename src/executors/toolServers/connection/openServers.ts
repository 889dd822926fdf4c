import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { McpServer } from '../../../contract/schema/session/mcpServer.ts';
import {
  createServerConnection,
  screenServer,
  type ServerPlace,
} from './createServerConnection.ts';
import { type NamedTool, assignToolNames } from '../tools/assignToolNames.ts';
import type { OfferedTool } from '../tools/parseTool.ts';
import type { ServerConnection } from './serverConnection.ts';
import { type ServerFaultKind, ToolServerFault } from './toolServerFault.ts';

export interface OpenedServer {
  server: McpServer;
  connection: ServerConnection;
  tools: readonly NamedTool[];
  screen(text: string): string;
}

export interface FailedServer {
  server: McpServer;
  kind: ServerFaultKind;
  why: string;
}

export interface OpenedServers {
  opened: readonly OpenedServer[];
  failed: readonly FailedServer[];
  lines: readonly string[];
}

/** Whether a server may be used with this tool, whatever name models see. */
const isAllowed = ({ allowedTools, disallowedTools }: McpServer, names: readonly string[]) =>
  (allowedTools === null || names.some((name) => allowedTools.includes(name))) &&
  !names.some((name) => disallowedTools.includes(name));

const formatServerProblem = ({ id }: McpServer, problem: string): string =>
  `The tool server ${id}: ${problem}.`;

/**
 * Connects to all servers at once and lists their tools. Never rejects for an unusable server;
 * rejects when `signal` is aborted. `taken`: whole tool names in use.
 */
export async function openServers(
  servers: readonly McpServer[],
  place: ServerPlace,
  { signal, taken = new Set<string>() }: { signal: AbortSignal; taken?: Set<string> },
): Promise<OpenedServers> {
  const openings = await Promise.all(
    servers.map(async (server) => {
      const connection = createServerConnection(server, place);
      const screen = screenServer(server, place);
      try {
        const listedTools = await connection.tools(signal);
        return { isOpen: true as const, server, connection, screen, listed: listedTools };
      } catch (error) {
        await connection.close();
        const kind = error instanceof ToolServerFault ? error.kind : 'server-away';
        return { isOpen: false as const, server, kind, why: screen(toErrorMessage(error)) };
      }
    }),
  );
  const openedServers: OpenedServer[] = [];
  const failedServers: FailedServer[] = [];
  const lines: string[] = [];
  for (const one of openings) {
    if (!one.isOpen) {
      failedServers.push(one);
      continue;
    }
    const { server, connection, screen, listed } = one;
    const { noise } = connection;
    const problems = [...(noise === null ? [] : [noise]), ...listed.problems];
    lines.push(...problems.map((problem) => screen(formatServerProblem(server, problem))));
    const naming = assignToolNames(server.id, listed.tools.filter(mayBeUsed(server)), taken);
    lines.push(...naming.problems.map((problem) => screen(`${problem}.`)));
    openedServers.push({
      server,
      connection,
      screen,
      tools: naming.named.filter(({ name, tool }) => isAllowed(server, [name, tool.name])),
    });
  }
  if (signal.aborted) {
    await Promise.all(openedServers.map(({ connection }) => connection.close()));
    throw signal.reason;
  }
  return { opened: openedServers, failed: failedServers, lines };
}

/** Tools that no list allows get no name, since it would be reserved for them. */
const mayBeUsed =
  ({ disallowedTools }: McpServer) =>
  ({ name }: OfferedTool): boolean =>
    !disallowedTools.includes(name);
