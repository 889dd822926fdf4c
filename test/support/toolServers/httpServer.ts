import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Posted {
  method: string;
  id: number | undefined;
  params: Record<string, unknown>;
  session: string | undefined;
}

type Answer = (posted: Posted, res: ServerResponse, req: IncomingMessage) => void;

export interface HttpToolServer {
  url: string;
  /** All that was asked, oldest first: `GET` or the method of the message. */
  asked: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export const json = (res: ServerResponse, body: unknown, headers: Record<string, string> = {}) =>
  res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** What a server answers to one request as the protocol wants it. */
export function usualResult({ method, params }: Posted): unknown {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    };
  if (method === 'tools/list')
    return { tools: [{ name: 'find', inputSchema: { type: 'object' } }] };
  return { content: [{ type: 'text', text: 'found' }] };
}

/** Answers as usual over streamable HTTP; a notification gets 202. */
export const answerUsually = (
  posted: Posted,
  res: ServerResponse,
  headers: Record<string, string> = {},
): void => {
  if (posted.id === undefined) res.writeHead(202).end();
  else json(res, { jsonrpc: '2.0', id: posted.id, result: usualResult(posted) }, headers);
};

/** `get` answers requests that are no POST; left out: 405. */
export async function openHttpServer(
  post: Answer,
  get: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => {
    res.writeHead(405).end();
  },
): Promise<HttpToolServer> {
  const asked: string[] = [];
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST') {
      asked.push(req.method ?? '');
      return get(req, res);
    }
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const { method = 'answer', id, params = {} } = JSON.parse(Buffer.concat(parts).toString());
    asked.push(method);
    const session = req.headers['mcp-session-id'];
    post({ method, id, params, session: session?.toString() }, res, req);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
