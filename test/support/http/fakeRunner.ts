import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Approval } from '../../../src/contract/schema/job/approval.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { aJob } from './aJob.ts';

export interface SeenRequest {
  method: string;
  path: string;
  body: unknown;
  authorization: string | null;
}

/** `[status, body]`; a body of text goes out as it is, everything else as JSON. */
export type Reply = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** A stream's events; `null` leaves it open at this place. */
export type StreamEvent = readonly [kind: string, data: unknown] | null;

export interface FakeRunner {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? null : JSON.parse(text);
};

function stream(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 2000\n\n');
  for (const [index, event] of events.entries()) {
    if (event === null) return;
    const [kind, data] = event;
    response.write(
      `${kind === 'bye' ? '' : `id: ${index + 1}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  }
  response.end();
}

/** Routes are `GET /jobs`; `GET /jobs/:id/stream` may have events instead of a reply. */
export async function fakeRunner(
  routes: Record<string, Reply | { stream: readonly StreamEvent[] }>,
): Promise<FakeRunner> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({
      method,
      path: url,
      body: await readBody(request),
      authorization: headers.authorization ?? null,
    });
    const route = routes[`${method} ${url}`] ?? routes[`${method} ${url.split('?')[0]}`];
    if (route === undefined) {
      const problem = {
        type: 'urn:svc:problem:not-found',
        title: 'Not found',
        status: 404,
        detail: `There is no ${url}.`,
        code: 'not-found',
        requestId: 'r1',
      };
      response
        .writeHead(404, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem));
    } else if ('stream' in route) stream(response, route.stream);
    else {
      const [status, body, more = {}] = route;
      response.writeHead(status, {
        'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
        ...more,
      });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What waits for approval in it: the plan `a1`, one work item, then coding. */
export const fakeApproval = (changes: Partial<Approval> = {}): Approval => ({
  phase: 'planning',
  shown: 'abc',
  shownRequired: false,
  artefactId: 'a1',
  covers: {
    plan: { artefactId: 'a1', sha256: 'def' },
    workItems: [{ id: 'cart', title: 'Cart', status: 'pending' }],
    follows: { workflowPath: 'workflows/job.md', phase: 'coding' },
    subRuns: [],
  },
  ...changes,
});

export const fakeJob = (changes: Partial<Job> = {}): Job =>
  aJob({
    status: 'coding:cart',
    description: 'Add a health check',
    createdAt: '2026-01-01T11:00:00.000Z',
    updatedAt: '2026-01-01T11:59:30.000Z',
    ...changes,
  });

const at = '2026-01-01T11:59:00.000Z';

export const logEvent = (line: string, time = at): StreamEvent => [
  'log',
  { at: time, phase: 'coding', visit: 1, from: 'agent', tag: null, line },
];

export const stateEvent = (status: string, changes: Record<string, unknown> = {}): StreamEvent => [
  'state',
  {
    at,
    event: 'session.ended',
    status,
    phase: 'coding',
    visit: 1,
    state: ['working'],
    parked: null,
    ended: false,
    ...changes,
  },
];
