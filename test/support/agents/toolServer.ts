import { systemClock } from '../../../src/base/time/clock.ts';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { revealHiddenText } from '../../../machines/index.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import type { AgentJob } from '../../../src/contract/job/agentJob.ts';
import type { Tool } from '../../../src/executors/tools/tool.ts';
import {
  NO_PROVIDERS,
  type OwnProviders,
  type ToolList,
} from '../../../src/executors/tools/catalogue/toolPatterns.ts';
import { STRUCTURED_META } from '../../../src/executors/tools/host/structuredMeta.ts';
import {
  createToolHost,
  type OpenToolServer,
  type ToolHost,
} from '../../../src/executors/tools/host/createToolHost.ts';
import { unscreened } from '../standIns/unscreened.ts';

/**
 * What a tool answered: `text` for the agent, `data` for programs, asked for as `svc tool` does.
 */
export interface ToolOutcome {
  text: string;
  data: Record<string, unknown> | undefined;
  isError: boolean;
}

export interface ServedTools {
  host: ToolHost;
  opened: OpenToolServer;
  url: string;
  /** What the host reported to the runner's log. */
  reported: { where: string; error: unknown }[];
  connect(token?: string): Promise<Client>;
  [Symbol.asyncDispose](): Promise<void>;
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

async function readJson(req: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part);
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
}

/**
 * The real tool host on a bare loopback server, with one session open; `parse` = the body is read
 * before the host gets it, `allowed` = the list of tools that its phase has, `own` = the providers
 * of its job.
 */
export async function serveTools(
  port: AgentJob,
  forges: string[] = ['local'],
  parse = true,
  services: readonly Tool[] = [],
  allowed: ToolList = null,
  own: OwnProviders = NO_PROVIDERS,
): Promise<ServedTools> {
  const reported: ServedTools['reported'] = [];
  const onError = (where: string, error: unknown) => void reported.push({ where, error });
  const host = createToolHost({
    clock: systemClock,
    awaySince: neverAway,
    screen: unscreened,
    ids: randomIds,
    onError,
    visible: revealHiddenText,
    services: () => services,
  });
  const server = createServer((req, res) => {
    void (async () => host.handle(req, res, parse ? await readJson(req) : undefined))();
  });
  const base = `http://127.0.0.1:${await listening(server)}`;
  const opened = host.open(port, { forges, allowed, own });
  const url = `${base}${opened.path}`;
  const clients: Client[] = [];
  return {
    host,
    opened,
    url,
    reported,
    async connect(token = opened.token) {
      const client = new Client({ name: 'test agent', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      });
      // The SDK's transport does not satisfy the SDK's interface under exactOptionalPropertyTypes.
      await client.connect(transport as Transport);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolOutcome> {
  const result = CallToolResultSchema.parse(
    await client.callTool({ name, arguments: args, _meta: { [STRUCTURED_META]: true } }),
  );
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, data: result.structuredContent, isError: result.isError ?? false };
}
