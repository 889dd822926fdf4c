import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { messageOf } from '../../../lib/errors.ts';
import type { ToolResult } from '../agentTool.ts';
import { plainFetch } from '../../../network/plainFetch.ts';

import { type ListedTools, listTools } from './listTools.ts';

/** Longest wait for a connection and for a list of tools, ms. */
const CONNECT_MS = 15_000;
/** Longest call, ms; each sign of progress restarts the time. */
const CALL_MS = 600_000;

/** Shared: each client would make one of its own. */
const schemaValidator = new AjvJsonSchemaValidator();

export type Connect = () => Transport;

/** A server over streamable HTTP, or over the older event stream. */
export function httpTransport(
  url: string,
  headers: Readonly<Record<string, string>>,
  sse = false,
): Transport {
  const options = { requestInit: { headers: { ...headers } }, fetch: plainFetch };
  const transport = sse
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
  // The SDK's transports do not satisfy the SDK's interface under exactOptionalPropertyTypes.
  return transport as Transport;
}

const textOf = (part: CallToolResult['content'][number]): string => {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' && 'text' in part.resource
    ? part.resource.text
    : `[${part.type} left out]`;
};

/** One tool server, reconnected on the next use after the connection was lost. */
export class Connection {
  readonly #connect: Connect;
  #client: Client | null = null;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** Its tools, and what of them is left out. Connects where there is no connection. */
  async tools(signal?: AbortSignal): Promise<ListedTools> {
    const limits = { timeout: CONNECT_MS, ...(signal ? { signal } : {}) };
    const client = await this.#open(limits);
    return listTools(client, limits);
  }

  /**
   * Calls a tool once. A call whose answer was lost is not repeated: whether it was carried out is
   * unknown.
   */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const client = await this.#open({ timeout: CONNECT_MS, signal });
    const options = { signal, timeout: CALL_MS, resetTimeoutOnProgress: true };
    const { content, structuredContent, isError } = CallToolResultSchema.parse(
      await client.callTool({ name, arguments: { ...args } }, CallToolResultSchema, options),
    );
    const text = content.map(textOf).join('\n');
    return {
      text: text === '' ? JSON.stringify(structuredContent ?? {}) : text,
      failed: isError === true,
    };
  }

  /** Whether it answers; reconnects when it does not. */
  async heal(): Promise<boolean> {
    try {
      await this.tools();
      return true;
    } catch {
      await this.close();
    }
    return this.tools().then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.close().catch(() => {});
  }

  async #open(limits: { timeout: number; signal?: AbortSignal }): Promise<Client> {
    if (this.#client) return this.#client;
    const client = new Client(
      { name: 'svc builtin agent', version: '1' },
      { jsonSchemaValidator: schemaValidator },
    );
    client.onclose = () => {
      if (this.#client === client) this.#client = null;
    };
    try {
      await client.connect(this.#connect(), limits);
    } catch (error) {
      await client.close().catch(() => {});
      throw new Error(`it cannot be connected: ${messageOf(error)}`);
    }
    this.#client = client;
    return client;
  }
}
