import { joinIntoOneLine } from '../../../base/text/clip.ts';
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { SessionFault } from '../../../base/errors/sessionFaults.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { toFields, toListOrEmpty } from '../../../base/json/untrusted.ts';
import { readRefusalMessage } from '../transport/watchFetch.ts';

/** Longest part of a server's own words in an error, characters. */
const MAX_WORDS_CHARS = 500;
/** Longest part of the details of a refusal, characters. */
const MAX_DATA_CHARS = 4_000;

export type ServerFaultKind = Extract<SessionFault, `server-${string}`>;

/**
 * Why a tool server cannot be used; the message is a clause, such as "it ended with exit code 1".
 */
export class ToolServerFault extends Error {
  readonly kind: ServerFaultKind;

  constructor(kind: ServerFaultKind, message: string) {
    super(message);
    this.name = 'ToolServerFault';
    this.kind = kind;
  }
}

/** Statuses after which a server may recover by itself. */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429]);
const LOGIN_STATUS: ReadonlySet<number> = new Set([401, 403, 407]);
/** Errors before anything was sent, so that nothing was carried out. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** How servers say, in any answer, that a session is gone. */
const SESSION_GONE =
  /session.{0,40}(not found|expired|invalid|terminated|unknown|does not exist|missing)|(no|invalid|unknown|expired)( valid)? session|not initialized/i;

const findSystemErrorCode = (error: unknown): string => {
  const { code, cause } = Object(error);
  return typeof code === 'string' ? code : cause === undefined ? '' : findSystemErrorCode(cause);
};

/** HTTP status of a failed request; null where it failed otherwise. */
export function readHttpStatus(error: unknown): number | null {
  if (error instanceof StreamableHTTPError || error instanceof SseError)
    return error.code !== undefined && error.code > 0 ? error.code : null;
  const status = /\(HTTP (\d{3})\)/.exec(toErrorMessage(error))?.[1];
  return status === undefined ? null : Number(status);
}

export function isOtherTransport(error: unknown): boolean {
  const status = readHttpStatus(error);
  return status !== null && status >= 400 && status < 500 && !isForLogin(status)
    ? !PASSING_STATUS.has(status)
    : error instanceof SseError && status === 200;
}

const isForLogin = (status: number): boolean => LOGIN_STATUS.has(status);

/** Nothing was sent: the server is missing, or still starting. */
export const isNotSent = (error: unknown): boolean => NOT_SENT.has(findSystemErrorCode(error));

/** Whether a server refused a request because it no longer knows the session. */
export function isSessionGone(error: unknown): boolean {
  const status = readHttpStatus(error);
  if (status === 404) return true;
  const isRefusal = status === null ? Number.isInteger(Object(error).code) : status < 500;
  return isRefusal && SESSION_GONE.test(toErrorMessage(error));
}

const clipFaultWords = (words: string): string => {
  const line = joinIntoOneLine(readRefusalMessage(words));
  return line.length > MAX_WORDS_CHARS ? `${line.slice(0, MAX_WORDS_CHARS)}…` : line;
};

/** Members of an answer that break the protocol; empty for other errors. */
const wrongMembers = (error: unknown): string =>
  toListOrEmpty(Object(error).issues)
    .map((issue) => toListOrEmpty(toFields(issue).path).join('.'))
    .join(', ');

/** An error of the SDK in one line, without its prefixes. */
export const formatSdkError = (error: unknown): string => {
  const members = wrongMembers(error);
  return members === '' ? plainWords(error) : `its answer has no valid ${members}`;
};

export function describeRefusal(error: unknown): string {
  const { data } = Object(error);
  const details = data === undefined ? '' : (JSON.stringify(data) ?? '');
  return details === ''
    ? formatSdkError(error)
    : `${formatSdkError(error)}\n${details.slice(0, MAX_DATA_CHARS)}`;
}

const plainWords = (error: unknown): string =>
  clipFaultWords(
    toErrorMessage(error)
      .replace(/^(Streamable HTTP error: |SSE error: |MCP error -?\d+: )+/, '')
      .replace(/^Error POSTing to endpoint( \(HTTP \d+\))?: ?/, ''),
  );

export function toToolServerFault(error: unknown): ToolServerFault {
  if (error instanceof ToolServerFault) return error;
  const code = findSystemErrorCode(error);
  if (/^(ENOENT|EACCES|ENOTDIR|E2BIG|EPERM|ENOEXEC)$/.test(code))
    return new ToolServerFault(
      'server-not-started',
      `its program cannot be started: ${toErrorMessage(error)}`,
    );
  const status = readHttpStatus(error);
  const words = formatSdkError(error);
  const wordsNote = words === '' ? '' : `: ${words}`;
  if (status !== null && isForLogin(status))
    return new ToolServerFault(
      'server-refused',
      `it refuses the login (HTTP ${status})${wordsNote}`,
    );
  if (status !== null && status >= 400)
    return new ToolServerFault(
      status >= 500 || PASSING_STATUS.has(status) ? 'server-away' : 'server-refused',
      `it answers HTTP ${status}${wordsNote}`,
    );
  if (isNotSent(error)) return new ToolServerFault('server-away', `it does not answer (${code})`);
  const isLasting = /has no valid|redirect|protocol version|content type|Invalid URL/i.test(words);
  return new ToolServerFault(isLasting ? 'server-refused' : 'server-away', words || 'it failed');
}
