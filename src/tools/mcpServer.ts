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
import type { PhaseTools } from './phaseTools.ts';
import { ALIAS_META, STRUCTURED_META } from './structuredMeta.ts';
import type { Tool } from './tool.ts';

/** Version of the tools' contract, shown to MCP clients. */
const TOOLS_VERSION = '1';

const INSTRUCTIONS =
  'Tools of one phase of a job of the svc runner. When an answer says to end your turn, end it: what was asked for happens after the session.';

/**
 * Shared, because a server makes one of its own (0.5 ms) for a request kind that is never used
 * here.
 */
const schemaValidator = new AjvJsonSchemaValidator();

const described = (
  { name, title, description, input, hints }: Tool,
  alias: string | null,
): ListToolsResult['tools'][number] => ({
  name,
  title,
  description,
  inputSchema: { ...input, type: 'object' },
  annotations: { title, ...hints },
  ...(alias === null ? {} : { _meta: { [ALIAS_META]: alias } }),
});

/**
 * Answers one MCP request over streamable HTTP. Stateless: the SDK wants a server and a transport
 * for each request, so that answers of two clients can never be mixed up (CVE-2026-25536); what
 * lasts is `phase`.
 */
export async function answerMcp(
  phase: PhaseTools,
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
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: schemaValidator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const isProgram = params?._meta?.[STRUCTURED_META] === true;
    return {
      tools: (await phase.offered()).map((tool) =>
        described(tool, isProgram ? phase.alias(tool.name) : null),
      ),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const { text, data, failed } = await phase.call(
      params.name,
      params.arguments ?? {},
      gone.signal,
    );
    // Some agents show their model the structured form and not the text, which alone holds the
    // fence and what to do next.
    const structured = params._meta?.[STRUCTURED_META] === true ? { structuredContent: data } : {};
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
