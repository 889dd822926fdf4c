import type { Clock } from '../../../lib/clock.ts';
import { messageOf } from '../../../lib/errors.ts';
import type { McpServer } from '../../../schema/mcpServer.ts';
import type { SessionRequest } from '../../../contract/executor.ts';
import { MARKER_VARIABLE } from '../../process/processTable.ts';
import { type AgentTool, failed } from '../agentTool.ts';
import { type Connect, Connection, httpTransport } from './connection.ts';
import type { OfferedTool } from './parseTool.ts';
import { StdioTransport } from './stdio.ts';

const OWN = 'svc';
/** Longest name of a tool that every endpoint takes. */
const MAX_NAME_CHARS = 64;

interface ToolServersOptions {
  request: Pick<SessionRequest, 'tools' | 'mcpServers' | 'cwd' | 'env' | 'marker' | 'sandbox'>;
  clock: Clock;
  /** Gives up when it is aborted. */
  signal: AbortSignal;
  /** Called for servers whose tools are missing. */
  onMissing(line: string): void;
}

const toolName = (server: string, tool: string): string =>
  `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');

function transportOf(server: McpServer, { request, clock }: ToolServersOptions): Connect {
  if (server.transport !== 'stdio')
    return () => httpTransport(server.url ?? '', server.headers, server.transport === 'sse');
  const env = { ...request.env, ...server.env, [MARKER_VARIABLE]: request.marker };
  const start = { program: server.command ?? '', args: server.args };
  return () =>
    new StdioTransport({
      ...(request.sandbox?.wrap(start, request.cwd) ?? start),
      cwd: request.cwd,
      env,
      clock,
    });
}

const agentTool = (
  connection: Connection,
  server: string,
  { name, description, inputSchema }: OfferedTool,
): AgentTool => ({
  name: toolName(server, name),
  description,
  inputSchema,
  ...(server === OWN ? {} : { server }),
  async run(args, signal) {
    try {
      return await connection.call(name, args.values, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      return failed(
        `${name}: the tool server ${server} did not answer (${messageOf(error)}). Whether the call was carried out is unknown.`,
      );
    }
  },
});

/**
 * The tool servers of a session: the runner's own, which is required, and the external ones that
 * can be reached.
 */
export class ToolServers {
  readonly #own: Connection;
  readonly #connections: Connection[];
  readonly tools: readonly AgentTool[];

  private constructor(own: Connection, connections: Connection[], tools: readonly AgentTool[]) {
    this.#own = own;
    this.#connections = connections;
    this.tools = tools;
  }

  /** Connects to all of them at once. Throws when the runner's own cannot be reached. */
  static async connect(options: ToolServersOptions): Promise<ToolServers> {
    const { url, token } = options.request.tools;
    const own = new Connection(() => httpTransport(url, { Authorization: `Bearer ${token}` }));
    const connections = [own];
    const external = async (server: McpServer): Promise<AgentTool[]> => {
      const connection = new Connection(transportOf(server, options));
      connections.push(connection);
      try {
        const { allowedTools, disallowedTools } = server;
        const listed = await connection.tools(options.signal);
        for (const problem of listed.problems)
          options.onMissing(`The tool server ${server.id}: ${problem}.`);
        const offered = listed.tools.filter(
          ({ name }) =>
            (allowedTools === null || allowedTools.includes(name)) &&
            !disallowedTools.includes(name),
        );
        return offered.map((tool) => agentTool(connection, server.id, tool));
      } catch (error) {
        options.onMissing(
          `The tool server ${server.id} is not available, so its tools are missing: ${messageOf(error)}`,
        );
        return [];
      }
    };
    try {
      const [ownTools, ...others] = await Promise.all([
        own
          .tools(options.signal)
          .then(({ tools }) => tools.map((tool) => agentTool(own, OWN, tool))),
        ...options.request.mcpServers.map(external),
      ]);
      const byName = new Map<string, AgentTool>();
      for (const tool of [...(ownTools ?? []), ...others.flat()]) {
        if (tool.name.length > MAX_NAME_CHARS)
          options.onMissing(`The name of the tool ${tool.name} is too long; it is left out.`);
        // The runner's own come first: no other server can take their place.
        else if (!byName.has(tool.name)) byName.set(tool.name, tool);
      }
      return new ToolServers(own, connections, [...byName.values()]);
    } catch (error) {
      await Promise.all(connections.map((connection) => connection.close()));
      throw new Error(`The tool server of the phase cannot be reached: ${messageOf(error)}`);
    }
  }

  /** Whether the runner's own server answers; reconnects if needed. */
  heal(): Promise<boolean> {
    return this.#own.heal();
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
