import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { TOOL_SERVER_ID } from './catalogue.ts';
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
  /** Never rejects. `gone` is aborted when the client went away before it had the answer. */
  call(
    name: string,
    args: unknown,
    gone: AbortSignal,
  ): Promise<{ text: string; data?: Record<string, unknown>; failed?: boolean }>;
}

/**
 * Shared, because a server makes one of its own (0.5 ms) for a request kind that is never used
 * here.
 */
const schemaValidator = new AjvJsonSchemaValidator();

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
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const { text, data, failed } = await tools.call(
      params.name,
      params.arguments ?? {},
      gone.signal,
    );
    // Some agents show their model the structured form and not the text, which alone holds the
    // fence and what to do next.
    const structured =
      params._meta?.[STRUCTURED_META] === true && data ? { structuredContent: data } : {};
    return { content: [{ type: 'text', text }], ...structured, isError: failed ?? false };
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    await transport.handleRequest(req, res, body);
  } finally {
    await server.close();
  }
}
