import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { SvcError } from '../base/errors/errors.ts';
import { LINK_HEADER, PERSON_HEADER } from '../base/http/ownHeaders.ts';
import type { Frame } from '../contract/channel/frames.ts';
import type { Member } from '../contract/schema/runner/caller.ts';
import { type ReplyHead, type ReplyReader, ReplySocket } from './replySocket.ts';

export interface OwnApp {
  /** What answers the runner's own port, with all of its gates; null = it takes no requests, such as at its end. */
  answer(): RequestListener | null;
  /** Content of runner.token. */
  token: string;
  /** Known to this process alone: with it the header counts that names a person. */
  secret: string;
}

/** What a team may ask with; CONNECT and the like are not among it. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Those that have no length where they have no body. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** What is taken of the headers of a request. Credentials, cookies, Host and hop-by-hop headers are not among it. */
const TAKEN: readonly string[] = [
  'accept',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'user-agent',
  'x-request-id',
];

/** What is sent of the headers of a reply. */
const SENT: readonly string[] = [
  'content-type',
  'content-length',
  'content-disposition',
  'etag',
  'link',
  'location',
  'retry-after',
  'deprecation',
  'x-total-count',
  'x-head-commit',
  'svc-broken-rows',
  'x-request-id',
];

/** Who asks where no member of the team does. */
const CONTROL_PLANE: Member = {
  userId: 'control-plane',
  name: 'control plane',
  role: 'viewer',
};

/** As the server of a port takes it: from the root, of characters that are visible. */
const PATH = /^\/[\x21-\x7e]*$/;

const isPrintable = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const pickHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string> => {
  const pickedHeaders: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && isPrintable(value)) pickedHeaders[name] = value;
  }
  return pickedHeaders;
};

/** What passes of the headers of a reply. */
export const pickReplyHeaders = ({ headers }: ReplyHead): Record<string, string> =>
  pickHeaders(headers, SENT);

export const isAllowedMethod = (method: string): boolean => METHODS.has(method);

/** The request as the server of the port would have parsed it. */
function buildRequest(
  socket: ReplySocket,
  { method, path }: Pick<Frame<'request'>, 'method' | 'path'>,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | null,
): IncomingMessage {
  const request = new IncomingMessage(socket);
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.httpVersion = '1.1';
  request.method = method;
  request.url = path;
  request.headers = headers;
  request.rawHeaders = Object.entries(headers).flat();
  request.complete = true;
  if (body !== null) request.push(body);
  request.push(null);
  return request;
}

/**
 * Asks the runner's own port as a member of the team, without the network: the same gates and routes answer. Throws
 * SvcError `stopping` where it takes no requests, and `malformed` for a path that no request may have.
 */
export function askOwnApp(
  { answer, token, secret }: OwnApp,
  { method, path, headers, person }: Frame<'request'>,
  body: Uint8Array | null,
  reader: ReplyReader,
): ReplySocket {
  const listener = answer();
  if (listener === null) throw new SvcError('stopping', 'The runner does not take requests.');
  if (!PATH.test(path))
    throw new SvcError('malformed', 'The path has characters that none may have.');
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const socket = new ReplySocket(reader);
  const request = buildRequest(
    socket,
    { method, path },
    {
      ...pickHeaders(lower, TAKEN),
      // The names of this machine that every runner serves.
      host: 'localhost',
      ...(body === null && BODILESS.has(method)
        ? {}
        : { 'content-length': String(body?.length ?? 0) }),
      authorization: `Bearer ${token}`,
      [LINK_HEADER.toLowerCase()]: secret,
      [PERSON_HEADER.toLowerCase()]: Buffer.from(JSON.stringify(person ?? CONTROL_PLANE)).toString(
        'base64url',
      ),
    },
    body,
  );
  const response = new ServerResponse(request);
  socket.attach(response);
  listener(request, response);
  return socket;
}
