import type { Clock } from '../../../base/time/clock.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { SessionRequest } from '../../../contract/session/executor.ts';
import type { McpServer } from '../../../contract/schema/session/mcpServer.ts';
import { createServerConnection } from '../../toolServers/connection/createServerConnection.ts';
import { toWholeToolName } from '../../toolServers/tools/assignToolNames.ts';
import { type OpenedServer, openServers } from '../../toolServers/connection/openServers.ts';
import type { OfferedTool } from '../../toolServers/tools/parseTool.ts';
import { restoreArguments } from '../../toolServers/tools/renameArguments.ts';
import { LostCall } from '../../toolServers/connection/lostCall.ts';
import type { ServerConnection } from '../../toolServers/connection/serverConnection.ts';
import type { ServerAnswer } from '../../toolServers/tools/toAnswer.ts';
import { type AgentTool, toFailedResult, type ToolResult } from '../agentTool.ts';

const OWN = 'svc';

interface ToolServersOptions {
  request: Pick<
    SessionRequest,
    'tools' | 'mcpServers' | 'cwd' | 'env' | 'marker' | 'sandbox' | 'screen'
  >;
  clock: Clock;
  signal: AbortSignal;
  /** Called for servers whose tools are missing. */
  onMissing(line: string): void;
}

const toServerContentText = (part: ServerAnswer['content'][number]): string => {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' && 'text' in part.resource
    ? part.resource.text
    : `[${part.type} left out]`;
};

const toResult = ({ content, failed: isFailed }: ServerAnswer): ToolResult => ({
  text: content.map(toServerContentText).join('\n'),
  failed: isFailed,
});

const toAgentTool = (
  connection: ServerConnection,
  server: string,
  name: string,
  { name: toolName, description, inputSchema, argumentNames }: OfferedTool,
): AgentTool => ({
  name: toWholeToolName(server, name),
  description,
  inputSchema,
  ...(server === OWN ? {} : { server }),
  async run(args, signal) {
    try {
      const originalArguments = restoreArguments(args.values, argumentNames);
      return toResult(await connection.call(toolName, originalArguments, { signal }));
    } catch (error) {
      if (signal.aborted || !(error instanceof LostCall)) throw error;
      return toFailedResult(`${name}: the tool server ${server} did not answer: ${error.message}`);
    }
  },
});

const createOwnServer = ({ url, token }: SessionRequest['tools']): McpServer => ({
  id: OWN,
  origin: 'config',
  transport: 'http',
  command: null,
  args: [],
  env: {},
  url,
  headers: { Authorization: `Bearer ${token}` },
  allowedTools: null,
  disallowedTools: [],
});

/**
 * The tool servers of a session: the runner's own, which is required, and the external ones that
 * answer.
 */
export class ToolServers {
  readonly #own: ServerConnection;
  readonly #external: readonly OpenedServer[];
  readonly tools: readonly AgentTool[];

  private constructor(
    own: ServerConnection,
    external: readonly OpenedServer[],
    tools: readonly AgentTool[],
  ) {
    this.#own = own;
    this.#external = external;
    this.tools = tools;
  }

  /** Connects to all of them. Throws when the runner's own cannot be reached. */
  static async connect({
    request,
    clock,
    signal,
    onMissing,
  }: ToolServersOptions): Promise<ToolServers> {
    const { tools, mcpServers, cwd, env, marker, sandbox } = request;
    const place = {
      clock,
      cwd,
      env,
      marker,
      screen: (text: string) => request.screen?.(text) ?? text,
      ...(sandbox ? { wrap: sandbox.wrap } : {}),
    };
    const own = createServerConnection(createOwnServer(tools), place);
    try {
      const ownTools = (await own.tools(signal)).tools.map((tool) =>
        toAgentTool(own, OWN, tool.name, tool),
      );
      // The runner's own come first, so that no other server can replace them.
      const takenNames = new Set(ownTools.map(({ name }) => name));
      const {
        opened,
        failed: failedServers,
        lines,
      } = await openServers(mcpServers, place, {
        signal,
        taken: takenNames,
      });
      for (const line of lines) onMissing(line);
      for (const { server, why } of failedServers)
        onMissing(
          `The tool server ${server.id} is not available, so its tools are missing: ${why}`,
        );
      const external = opened.flatMap(({ server, connection, tools: namedTools }) =>
        namedTools.map(({ name, tool }) => toAgentTool(connection, server.id, name, tool)),
      );
      return new ToolServers(own, opened, [...ownTools, ...external]);
    } catch (error) {
      await own.close();
      throw new Error(`The tool server of the phase cannot be reached: ${toErrorMessage(error)}`);
    }
  }

  heal(): Promise<boolean> {
    return this.#own.heal();
  }

  async close(): Promise<void> {
    const connections = [this.#own, ...this.#external.map(({ connection }) => connection)];
    await Promise.all(connections.map((connection) => connection.close()));
  }
}
