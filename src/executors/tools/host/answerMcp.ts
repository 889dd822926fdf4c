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

/** A tool as clients are shown it. */
export type ListedTool = ListToolsResult['tools'][number];

/** What a client can list and call at one path. */
export interface McpTools {
  /** For the model, about all of them. */
  readonly instructions: string;
  /** `isProgram`: the client is no agent. */
  list(isProgram: boolean): Promise<ListedTool[]>;
  /**
   * Never rejects. `gone` is aborted when the client went away before it had the answer;
   * `onProgress` reports on a call that takes long, where the client asked for it.
   */
  call(
    name: string,
    args: unknown,
    gone: AbortSignal,
    onProgress?: (progress: CallProgress) => void,
  ): Promise<ToolAnswer>;
  /** Calls may take minutes: an answer begins before its call is over. Default: false. */
  readonly takesLong?: boolean;
}

/** How far a call is, in the protocol's own words. */
export interface CallProgress {
  progress: number;
  total?: number;
  message?: string;
}

export interface ToolAnswer {
  text: string;
  data?: Record<string, unknown>;
  failed?: boolean;
  /** Parts of the answer in the protocol's own form, in place of `text`. */
  content?: CallToolResult['content'];
}

/**
 * Shared, because a server makes one of its own (0.5 ms) for a request kind that is never used
 * here.
 */
const schemaValidator = new AjvJsonSchemaValidator();

/** Calls that run and take long, by the ids of their requests: to be stopped where the client asks. */
const running = new WeakMap<McpTools, Map<string | number, AbortController>>();

function findRunningCalls(tools: McpTools): Map<string | number, AbortController> {
  const known = running.get(tools) ?? new Map<string | number, AbortController>();
  running.set(tools, known);
  return known;
}

/** The request that a client no longer wants an answer to; null = this is no such message. */
function readCancelledRequest(body: unknown): string | number | null {
  const parsed = CancelledNotificationSchema.safeParse(body);
  return parsed.success ? (parsed.data.params.requestId ?? null) : null;
}

/**
 * Answers one MCP request over streamable HTTP. Stateless: the SDK wants a server and a transport
 * for each request, so that answers of two clients can never be mixed up (CVE-2026-25536); what
 * lasts is `tools`.
 */
export async function answerMcp(
  tools: McpTools,
  req: IncomingMessage,
  res: ServerResponse,
  body: unknown,
): Promise<void> {
  const gone = new AbortController();
  let isSent = false;
  // Not `writableFinished`: it is true as well when the connection was lost before the answer had
  // left, for nothing waits then.
  res.once('finish', () => {
    isSent = true;
  });
  res.once('close', () => {
    if (!isSent) gone.abort();
  });
  const cancelled = tools.takesLong === true ? readCancelledRequest(body) : null;
  if (cancelled !== null) findRunningCalls(tools).get(cancelled)?.abort();
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
      // A client that has gone gets none, and its call is aborted.
      extra.sendNotification({ method, params: { ...progress, progressToken } }).catch(() => {});
    };
    const stop = new AbortController();
    if (tools.takesLong === true) findRunningCalls(tools).set(requestId, stop);
    const { text, data, failed, content } = await tools
      .call(
        params.name,
        params.arguments ?? {},
        AbortSignal.any([gone.signal, stop.signal]),
        onProgress,
      )
      .finally(() => running.get(tools)?.delete(requestId));
    // Some agents show their model the structured form and not the text, which alone holds the
    // fence and what to do next.
    const structured =
      params._meta?.[STRUCTURED_META] === true && data ? { structuredContent: data } : {};
    const parts = content ?? [{ type: 'text' as const, text }];
    return { content: parts, ...structured, isError: failed ?? false };
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
