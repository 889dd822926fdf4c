import { isJsonObject } from '../src/base/json/isJsonObject.ts';
import { createInterface } from 'node:readline';
import { postMcpMessage, type ToolServer } from './remote/sendMcpRequest.ts';
import { NoSession, readSessionServer } from './remote/readSessionServer.ts';
import type { ExitCode } from './exitCodes.ts';
import type { ToolStreams } from './tool.ts';

export const BRIDGE_HELP = `svc mcp-bridge: the tools of the running phase as an MCP server over stdin and stdout.

  svc mcp-bridge [<folder of the session> [<id of an external tool server>]]

For agents whose network is cut off by a sandbox; svc hands it to them. The folder is by default
the one that SVC_SESSION_DIR names. The token is read from mcp.json in it.
With an id, they are the tools of that server, which the runner is connected to.
`;

/** JSON-RPC: an error of the server that is not one of the protocol. */
const SERVER_ERROR = -32_000;

type MessageId = string | number;

const readMessageId = (message: Record<string, unknown>): MessageId | null =>
  typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;

const formatBridgeFailure = (id: MessageId, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } });

/** Hands messages on, each in a request of its own: the server keeps nothing between them. */
class Bridge {
  readonly #server: ToolServer;
  readonly #write: (line: string) => void;
  readonly #calls = new Map<MessageId, AbortController>();

  constructor(server: ToolServer, write: (line: string) => void) {
    this.#server = server;
    this.#write = write;
  }

  async take(line: string): Promise<void> {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (!isJsonObject(message)) return;
    const { method, params } = message;
    if (method === 'notifications/cancelled' && isJsonObject(params)) {
      const { requestId } = params;
      if (typeof requestId === 'string' || typeof requestId === 'number')
        this.#calls.get(requestId)?.abort();
      return;
    }
    const id = readMessageId(message);
    const call = new AbortController();
    if (id !== null) this.#calls.set(id, call);
    try {
      const { status, text } = await postMcpMessage(this.#server, line, call.signal);
      if (id === null) return;
      // A message is sent as one line, even if it was pretty-printed.
      if (status === 200)
        for (const message of splitMcpMessages(text))
          this.#write(JSON.stringify(JSON.parse(message)));
      else
        this.#write(
          formatBridgeFailure(id, `The tool server answered ${status}: ${readProblemDetail(text)}`),
        );
    } catch (error) {
      if (id !== null && !call.signal.aborted)
        this.#write(
          formatBridgeFailure(id, error instanceof Error ? error.message : String(error)),
        );
    } finally {
      if (id !== null) this.#calls.delete(id);
    }
  }
}

/** The messages of an answer: a JSON text, or the data of the events of a stream. */
const splitMcpMessages = (text: string): string[] =>
  text.trimStart().startsWith('{')
    ? [text]
    : text.split('\n').flatMap((line) => {
        const data = /^data: ?(.+)$/.exec(line)?.[1];
        return data === undefined ? [] : [data];
      });

const readProblemDetail = (text: string): string => {
  try {
    const { detail }: { detail?: unknown } = Object(JSON.parse(text));
    return typeof detail === 'string' ? detail : 'without a reason';
  } catch {
    return 'without a reason';
  }
};

/**
 * `svc mcp-bridge`; `argv` is what follows. Runs until stdin ends and every request is answered;
 * answers the exit code, never throws. Loads nothing but Node's own modules.
 */
export async function runBridge(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: Omit<ToolStreams, 'stdin'> & { stdin: NodeJS.ReadableStream },
): Promise<ExitCode> {
  const [dir = env.SVC_SESSION_DIR, serverId, ...more] = argv;
  if (dir === '--help' || dir === '-h') {
    streams.stdout.write(BRIDGE_HELP);
    return 0;
  }
  if (more.length > 0 || dir?.startsWith('-')) {
    streams.stderr.write(
      `svc mcp-bridge takes one folder, and one id of a tool server. See svc mcp-bridge --help.\n`,
    );
    return 2;
  }
  try {
    const own = await readSessionServer(dir);
    const server =
      serverId === undefined ? own : { ...own, url: `${own.url}/${encodeURIComponent(serverId)}` };
    const bridge = new Bridge(server, (line) => streams.stdout.write(`${line}\n`));
    const pending: Promise<void>[] = [];
    for await (const line of createInterface({ input: streams.stdin }))
      pending.push(bridge.take(line));
    await Promise.all(pending);
    return 0;
  } catch (error) {
    streams.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof NoSession ? 2 : 1;
  }
}
