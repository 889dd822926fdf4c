import { isJsonObject } from '../../src/base/json/isJsonObject.ts';
import { request } from 'node:http';

export interface ToolServer {
  url: string;
  token: string;
  /** Through which proxy, with its login; left out = directly. */
  proxy?: string;
}

/** The runner was not reached, or refused before any tool ran (`status` null = no answer). */
export class NoAnswer extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super(message);
    this.name = 'NoAnswer';
    this.status = status;
  }
}

const parseJsonRecord = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
};

const toTextOrFallback = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

/** Where a request goes, and its headers. Node's own client supports no proxy. */
function buildMcpRoute({ url, proxy }: ToolServer) {
  if (proxy === undefined) {
    const { hostname, port, pathname, search } = new URL(url);
    return { target: { hostname, port, path: `${pathname}${search}` }, headers: {} };
  }
  const { hostname, port, username, password } = new URL(proxy);
  const login = Buffer.from(
    `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  ).toString('base64');
  return {
    target: { hostname, port, path: url },
    headers: { host: new URL(url).host, 'proxy-authorization': `Basic ${login}` },
  };
}

/** Posts one message; rejects where no answer comes. */
export function postMcpMessage(
  server: ToolServer,
  body: string,
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { token } = server;
  const route = buildMcpRoute(server);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...route.target,
        method: 'POST',
        // No keep-alive: the process ends after this one call.
        agent: false,
        ...(signal ? { signal } : {}),
        headers: {
          ...route.headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(parts).toString('utf8'),
          }),
        );
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/**
 * Makes one MCP request over HTTP, once: repeating a write is the caller's decision. Throws
 * NoAnswer when the server cannot be reached or refuses the request, Error when it answers with a
 * JSON-RPC error.
 *
 * By hand with node:http, because `svc tool` is called dozens of times a phase: the MCP client or
 * `fetch` would more than double its time. The server is stateless, so no `initialize` has to come
 * first.
 */
export async function sendMcpRequest(
  server: ToolServer,
  method: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { status, text } = await postMcpMessage(server, body).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new NoAnswer(
      code === 'ECONNREFUSED'
        ? `The runner does not answer at ${new URL(server.url).host}: it has stopped. End your turn; the job continues when it is back.`
        : `The connection to the runner broke (${code || 'unknown reason'}), so svc does not know whether the call was carried out.`,
      null,
    );
  });
  const answer = parseJsonRecord(text);
  if (isJsonObject(answer.error))
    throw new Error(toTextOrFallback(answer.error.message, 'The tool server returned an error.'));
  if (status !== 200)
    throw new NoAnswer(
      toTextOrFallback(answer.detail, `The tool server answered ${status}.`),
      status,
    );
  if (!isJsonObject(answer.result))
    throw new Error('The tool server sent a response that is not MCP.');
  return answer.result;
}
