import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { createServerConnection } from '../../../src/executors/toolServers/connection/createServerConnection.ts';
import type { ServerConnection } from '../../../src/executors/toolServers/connection/serverConnection.ts';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import {
  answerUsually,
  json,
  openHttpServer,
  usualResult,
} from '../../support/toolServers/httpServer.ts';
import { createPressedClock } from '../../support/pressedClock.ts';
import { createDeclaration } from '../../support/toolServers/stdioServer.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('tool servers: over HTTP');

/** Time that a server has for its start, ms; it passes where a test lets it. */
const START_MS = 60_000;

async function withHttpServer<T>(
  url: string,
  use: (connection: ServerConnection) => Promise<T>,
  overrides: Partial<McpServer> = {},
  clock: Clock = systemClock,
): Promise<T> {
  const server = createDeclaration({ transport: 'http', url, ...overrides });
  const connection = createServerConnection(server, {
    screen: unscreened,
    clock,
    cwd: '/',
    env: {},
  });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const callFind = (connection: ServerConnection) =>
  connection.call('find', {}, { signal: new AbortController().signal });
const FOUND = { content: [{ type: 'text', text: 'found' }], failed: false };
const catchError = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'no error',
    (error: unknown) => String(Object(error).message),
  );

/** A server that keeps sessions; `forget` makes it answer `gone` to the old ones. */
const keepSessions = async (refuseUnknown: (res: import('node:http').ServerResponse) => void) => {
  const known = new Set<string>();
  const server = await openHttpServer((posted, res) => {
    if (posted.method === 'initialize') {
      const session = randomUUID();
      known.add(session);
      return answerUsually(posted, res, { 'mcp-session-id': session });
    }
    if (!known.has(posted.session ?? '')) return refuseUnknown(res);
    answerUsually(posted, res);
  });
  return {
    ...server,
    forget: () => known.clear(),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
};

const refuse = (status: number, message: string) => (res: import('node:http').ServerResponse) =>
  void res
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message } }));

for (const [what, refuseUnknown] of [
  ['404', refuse(404, 'Session not found')],
  ['404 without words', (res: import('node:http').ServerResponse) => void res.writeHead(404).end()],
  ['400 that names the session', refuse(400, 'Bad Request: No valid session ID provided')],
] as const)
  test(`a server that answers ${what} after a restart gets a new session, and the call once more`, async () => {
    await using server = await keepSessions(refuseUnknown);
    await withHttpServer(server.url, async (connection) => {
      await connection.tools();
      server.forget();
      assert.equal(await callFind(connection), FOUND);
    });
    const from = server.asked.lastIndexOf('initialize') - 1;
    assert.equal(
      server.asked.slice(from).filter((one) => one !== 'GET' && one !== 'DELETE'),
      ['tools/call', 'initialize', 'notifications/initialized', 'tools/call'].slice(
        server.asked[from] === 'DELETE' ? 1 : 0,
      ),
    );
  });

test('a session that is gone again and again ends the call: it was not carried out', async () => {
  await using server = await openHttpServer((posted, res) => {
    if (posted.method === 'tools/call') return refuse(404, 'Session not found')(res);
    answerUsually(posted, res, { 'mcp-session-id': 'one' });
  });
  const error = await withHttpServer(server.url, async (connection) => {
    await connection.tools();
    return catchError(callFind(connection));
  });
  assert.is(error, 'Session not found. The call was not carried out.');
  assert.is(server.asked.filter((one) => one === 'tools/call').length, 2);
});

test('a server that is away for a moment is waited for', async () => {
  const open = (port: number) =>
    new Promise<ReturnType<typeof createServer>>((resolve) => {
      const server = createServer(async (req, res) => {
        if (req.method !== 'POST') return void res.writeHead(405).end();
        const parts: Buffer[] = [];
        for await (const part of req) parts.push(part);
        const { method, id, params = {} } = JSON.parse(Buffer.concat(parts).toString());
        answerUsually({ method, id, params, session: undefined }, res);
      });
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  const first = await open(0);
  const { port } = first.address() as AddressInfo;
  await withHttpServer(`http://127.0.0.1:${port}/mcp`, async (connection) => {
    await connection.tools();
    first.closeAllConnections();
    await new Promise((resolve) => first.close(resolve));
    const answer = callFind(connection);
    const again = await open(port);
    assert.equal(await answer, FOUND);
    again.closeAllConnections();
    await new Promise((resolve) => again.close(resolve));
  });
});

const STREAM = { 'content-type': 'text/event-stream' };

test('a call whose stream breaks off ends soon, and the agent knows that it may have been carried out', async () => {
  await using server = await openHttpServer((posted, res) => {
    if (posted.method !== 'tools/call') return answerUsually(posted, res);
    res.writeHead(200, STREAM);
    res.write(': working\n\n');
    setImmediate(() => res.destroy());
  });
  const before = Date.now();
  const error = await withHttpServer(server.url, async (connection) => {
    await connection.tools();
    return catchError(callFind(connection));
  });
  assert.is(
    error,
    'the stream of its answer broke off. Whether the call was carried out is unknown.',
  );
  assert.ok(Date.now() - before < 10_000);
});

test('a stream with ids that breaks off is taken up again after its last event', async () => {
  const lastIds: (string | undefined)[] = [];
  let call = 0;
  await using server = await openHttpServer(
    (posted, res) => {
      if (posted.method !== 'tools/call') return answerUsually(posted, res);
      call = posted.id ?? 0;
      res.writeHead(200, STREAM);
      res.write('id: e-1\nretry: 20\ndata:\n\nid: e-2\nretry: 20\ndata:\n\n');
      setImmediate(() => res.end());
    },
    (req, res) => {
      const last = req.headers['last-event-id']?.toString();
      if (last === undefined) return void res.writeHead(405).end();
      lastIds.push(last);
      res.writeHead(200, STREAM);
      const result = { content: [{ type: 'text', text: 'found' }] };
      res.end(`id: e-3\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: call, result })}\n\n`);
    },
  );
  const answer = await withHttpServer(server.url, async (connection) => {
    await connection.tools();
    return callFind(connection);
  });
  assert.equal(answer, FOUND);
  assert.equal(lastIds, ['e-2']);
});

for (const status of [405, 404] as const)
  test(`a stream that cannot be taken up again (${status}) ends the call`, async () => {
    await using server = await openHttpServer(
      (posted, res) => {
        if (posted.method !== 'tools/call') return answerUsually(posted, res);
        res.writeHead(200, STREAM);
        res.end('id: e-1\nretry: 20\ndata:\n\n');
      },
      (_req, res) => void res.writeHead(status).end(),
    );
    const error = await withHttpServer(server.url, async (connection) => {
      await connection.tools();
      return catchError(callFind(connection));
    });
    assert.match(error, /broke off\. Whether the call was carried out is unknown\.$/);
  });

/** A real server of the older transport, by the SDK. */
async function openOldServer() {
  const transports = new Map<string, SSEServerTransport>();
  const http = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    if (req.method === 'GET') {
      const transport = new SSEServerTransport('/messages', res);
      transports.set(transport.sessionId, transport);
      const server = new Server({ name: 'old', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler(ListToolsRequestSchema, async () => ({
        tools: [{ name: 'find', inputSchema: { type: 'object' as const } }],
      }));
      server.setRequestHandler(CallToolRequestSchema, async () => ({
        content: [{ type: 'text' as const, text: 'found' }],
      }));
      return server.connect(transport);
    }
    const transport = transports.get(url.searchParams.get('sessionId') ?? '');
    if (url.pathname !== '/messages') return void res.writeHead(405).end();
    if (!transport) return void res.writeHead(404).end('Session not found');
    await transport.handlePostMessage(req, res);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sse`,
    /** From now on it knows none of its sessions, as after a restart behind a proxy. */
    forget: () => transports.clear(),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

for (const transport of ['http', 'sse'] as const)
  test(`a server of the older transport that is declared as ${transport} is used, also after it has forgotten the session`, async () => {
    await using server = await openOldServer();
    const answers = await withHttpServer(
      server.url,
      async (connection) => {
        await connection.tools();
        const first = await callFind(connection);
        server.forget();
        return [first, await callFind(connection)];
      },
      { transport },
    );
    assert.equal(answers, [FOUND, FOUND]);
  });

test('a server of the newer transport that is declared as sse is used', async () => {
  await using server = await openHttpServer((posted, res) => answerUsually(posted, res));
  const { tools } = await withHttpServer(server.url, (one) => one.tools(), { transport: 'sse' });
  assert.is(tools.length, 1);
});

test('an older server that never says where to post is late, and holds nothing up', async () => {
  await using server = await openHttpServer(
    (_posted, res) => void res.writeHead(405).end(),
    (_req, res) => void res.writeHead(200, STREAM).write(': hello\n\n'),
  );
  const { clock, advance, restarted } = createPressedClock(START_MS);
  const restart = restarted();
  const error = await withHttpServer(
    server.url,
    async (one) => {
      const failure = catchError(one.tools());
      await restart;
      advance(START_MS);
      return failure;
    },
    { transport: 'sse', timeoutMs: START_MS },
    clock,
  );
  assert.match(error, /within 60 s/);
});

for (const [status, body, kind, says] of [
  [
    401,
    '{"error":"invalid_token"}',
    'server-refused',
    'it refuses the login (HTTP 401): invalid_token',
  ],
  [403, 'no', 'server-refused', 'it refuses the login (HTTP 403): no'],
  [404, '', 'server-refused', 'it answers HTTP 404'],
  [429, 'slowly', 'server-away', 'it answers HTTP 429: slowly'],
  [503, '<html>busy</html>', 'server-away', 'it answers HTTP 503: <html>busy</html>'],
] as const)
  test(`a server that answers ${status} is named with its own words`, async () => {
    await using server = await openHttpServer(
      (_posted, res) => void res.writeHead(status).end(body),
      (_req, res) => void res.writeHead(status).end(body),
    );
    const error = await withHttpServer(server.url, (one) => one.tools().catch((thrown) => thrown));
    assert.equal([error.kind, error.message], [kind, says]);
  });

test('a login page and a redirect are refused with a reason', async () => {
  await using page = await openHttpServer(
    (_posted, res) =>
      void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  );
  const pageError = await withHttpServer(page.url, (one) => one.tools().catch((thrown) => thrown));
  assert.equal(
    [pageError.kind, /Unexpected content type: text\/html/.test(pageError.message)],
    ['server-refused', true],
  );
  await using moved = await openHttpServer(
    (_posted, res) => void res.writeHead(302, { location: 'https://example.org/' }).end(),
  );
  const error = await withHttpServer(moved.url, (one) => one.tools().catch((thrown) => thrown));
  assert.equal(
    [error.kind, /a redirect to \S+, which is not followed/.test(error.message)],
    ['server-refused', true],
  );
});

test('nothing at the address and a refusal have different reasons', async () => {
  const error = await withHttpServer('http://127.0.0.1:9/mcp', (one) =>
    one.tools().catch((thrown) => thrown),
  );
  assert.equal([error.kind, error.message], ['server-away', 'it does not answer (ECONNREFUSED)']);
});

test('answers with another type and small deviations are understood', async () => {
  await using server = await openHttpServer((posted, res) => {
    if (posted.id === undefined) return void res.writeHead(202).end();
    const body = { jsonrpc: '2.0', id: posted.id, result: usualResult(posted), error: null };
    if (posted.method === 'tools/call') return json(res, body);
    res.writeHead(200, { 'content-type': 'text/plain' }).end(`\ufeff${JSON.stringify(body)}`);
  });
  const answer = await withHttpServer(server.url, async (connection) => {
    await connection.tools();
    return callFind(connection);
  });
  assert.equal(answer, FOUND);
});

test('a call whose connection breaks may have been carried out, and is not repeated', async () => {
  await using server = await openHttpServer((posted, res) => {
    if (posted.method === 'tools/call') return void res.destroy();
    answerUsually(posted, res);
  });
  const error = await withHttpServer(server.url, async (connection) => {
    await connection.tools();
    return catchError(callFind(connection));
  });
  assert.match(error, /Whether the call was carried out is unknown\.$/);
  assert.is(server.asked.filter((one) => one === 'tools/call').length, 1);
});

test.run();
