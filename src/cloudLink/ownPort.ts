import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { LINK_HEADER, PERSON_HEADER } from '../base/http/ownHeaders.ts';
import type { Frame } from '../contract/channel/frames.ts';
import type { Member } from '../contract/schema/runner/caller.ts';

export interface OwnPort {
  /** Where the runner answers, on this machine. */
  url(): string;
  /** Content of runner.token. */
  token: string;
  /** Known to this process alone: with it the header counts that names a person. */
  secret: string;
}

/** What a team may ask with; CONNECT and the like are not among it. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

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

const isPrintable = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const pickHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' && isPrintable(value) ? [[name, value]] : [];
    }),
  );

export const pickReplyHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  pickHeaders(headers, SENT);

export const isAllowedMethod = (method: string): boolean => METHODS.has(method);

/**
 * Asks the runner's own port as a member of the team. Errors come as the event of the request. Throws for a path with
 * characters that no path may have.
 */
export function askOwnPort(
  { url, token, secret }: OwnPort,
  { method, path, headers, person }: Frame<'request'>,
  body: Uint8Array | null,
): ClientRequest {
  const { hostname, port } = new URL(url());
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const request = sendRequest({
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    method,
    path,
    headers: {
      ...pickHeaders(lower, TAKEN),
      ...(body === null ? {} : { 'content-length': String(body.length) }),
      authorization: `Bearer ${token}`,
      [LINK_HEADER]: secret,
      [PERSON_HEADER]: Buffer.from(JSON.stringify(person ?? CONTROL_PLANE)).toString('base64url'),
    },
  });
  request.end(body);
  return request;
}
