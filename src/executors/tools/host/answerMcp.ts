import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { TOOL_SERVER_ID } from '../catalogue/buildToolCatalogue.ts';
import { STRUCTURED_META } from './structuredMeta.ts';

/** Version of the tools' contract, shown to MCP clients. */
const TOOLS_VERSION = '1';

export type ListedTool = ListToolsResult['tools'][number];

export interface McpTools {
  /** For the model: describes all the tools. */
  readonly instructions: string;
  list(isProgram: boolean): Promise<ListedTool[]>;
  /**
   * Never rejects. `abortSignal` is aborted when the client leaves before the answer; `onProgress` reports
   * on a long call if the client asked for it.
   */
  call(
    name: string,
    args: unknown,
    abortSignal: AbortSignal,
    onProgress?: (progress: CallProgress) => void,
  ): Promise<ToolAnswer>;
  /** Calls may take minutes, so an answer begins before its call is over. Default: false. */
  readonly takesLong?: boolean;
}

export interface CallProgress {
  progress: number;
  total?: number;
  message?: string;
}

export interface ToolAnswer {
  text: string;
  data?: Record<string, unknown>;
  failed?: boolean;
  /** Parts of the answer in the protocol's form, in place of `text`. */
  content?: CallToolResult['content'];
}

/**
 * Shared, since each server would create one (0.5 ms) for a request kind that is never used here.
 */
const schemaValidator = new AjvJsonSchemaValidator();

/** Running long calls by the id of their request, so that a client can stop them. */
const running = new WeakMap<McpTools, Map<string | number, AbortController>>();

function findRunningCalls(tools: McpTools): Map<string | number, AbortController> {
  const calls = running.get(tools) ?? new Map<string | number, AbortController>();
  running.set(tools, calls);
  return calls;
}

/** The request that a client cancels; null = the message cancels none. */
function readCancelledRequest(body: unknown): string | number | null {
  const parsed = CancelledNotificationSchema.safeParse(body);
  return parsed.success ? (parsed.data.params.requestId ?? null) : null;
}

/**
 * Answers one MCP request over streamable HTTP. Stateless: the SDK wants a server and a transport
 * for each request, so that answers of two clients are never mixed up (CVE-2026-25536); only
 * `tools` lasts.
 */
export async function answerMcp(
  tools: McpTools,
  req: IncomingMessage,
  res: ServerResponse,
  body: unknown,
): Promise<void> {
  const abort = new AbortController();
  let isSent = false;
  // Not `writableFinished`: it is also true when the connection was lost before the answer had
  // left.
  res.once('finish', () => {
    isSent = true;
  });
  res.once('close', () => {
    if (!isSent) abort.abort();
  });
  const cancelledId = tools.takesLong === true ? readCancelledRequest(body) : null;
  if (cancelledId !== null) findRunningCalls(tools).get(cancelledId)?.abort();
  const server = new Server(
    { name: TOOL_SERVER_ID, version: TOOLS_VERSION },
    {
      capabilities: { tools: {} },
      instructions: tools.instructions,
      jsonSchemaValidator: schemaValidator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => ({
    tools: await tools.list(params?._meta?.[STRUCTURED_META] === true),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { requestId } = extra;
    const progressToken = params._meta?.progressToken;
    const onProgress = (progress: CallProgress): void => {
      if (progressToken === undefined) return;
      const method = 'notifications/progress';
      // A client that has gone gets no notification, and its call is aborted.
      extra.sendNotification({ method, params: { ...progress, progressToken } }).catch(() => {});
    };
    const stop = new AbortController();
    if (tools.takesLong === true) findRunningCalls(tools).set(requestId, stop);
    const { text, data, failed, content } = await tools
      .call(
        params.name,
        params.arguments ?? {},
        AbortSignal.any([abort.signal, stop.signal]),
        onProgress,
      )
      .finally(() => running.get(tools)?.delete(requestId));
    // Some agents show their model the structured form instead of the text, but only the text has
    // the fence and the next step.
    const structuredPart =
      params._meta?.[STRUCTURED_META] === true && data ? { structuredContent: data } : {};
    const parts = content ?? [{ type: 'text' as const, text }];
    return { content: parts, ...structuredPart, isError: failed ?? false };
  });
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: tools.takesLong !== true,
  });
  try {
    await server.connect(transport);
    await transport.handleRequest(req, res, body);
  } finally {
    await server.close();
  }
}
