import { toErrorMessage } from '../../base/errors/errors.ts';
import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { fetchWithoutRedirects } from '../../base/system/network/fetchWithoutRedirects.ts';
import { joinIntoOneLine, shorten } from '../../base/text/clip.ts';
import { parseRetryAfter } from '../../notifications/rules/planRetry.ts';

/** Longest wait for the answer to a request, ms. */
export const POST_TIMEOUT_MS = 10_000;
/** What is read of an answer, bytes. */
const MOST_ANSWER_BYTES = 65_536;
const MOST_SHOWN_CHARS = 200;
const TRACES_PATH = '/v1/traces';

/**
 * Statuses that say nothing of the spans: the address or the login is wrong, or the collector has no
 * room now. All others are about the request, which must then not be sent again.
 */
const TRIED_AGAIN: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 429, 502, 503, 504]);

export type PostOutcome =
  /** `rejected`: spans that the collector did not take; `message`: what it says about them, or ''. */
  | { is: 'accepted'; rejected: number; message: string }
  /** The collector refuses these spans, and would again. */
  | { is: 'dropped'; problem: string }
  /** Nothing is known to be taken. `retryAfterMs`: the wait that it asks for; null = none. */
  | { is: 'failed'; problem: string; retryAfterMs: number | null };

export interface Post {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** JSON of an `ExportTraceServiceRequest`. */
  body: string;
  signal: AbortSignal;
  /** Default: {@link POST_TIMEOUT_MS}. */
  timeoutMs?: number;
  /** Epoch ms. */
  now(): number;
}

/** The address to which spans are posted. */
export function toTracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith(TRACES_PATH)) url.pathname = `${path}${TRACES_PATH}`;
  return url.href;
}

/** Headers in the form of OTEL_EXPORTER_OTLP_HEADERS. What is not `name=value` is left out. */
export function parseHeaderList(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    return name === '' ? [] : [[name, decodeValue(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Sends spans as OTLP/HTTP with JSON (OTLP 1.10, "OTLP/HTTP"). Never rejects. */
export async function postSpans({
  endpoint,
  headers,
  body,
  signal,
  timeoutMs = POST_TIMEOUT_MS,
  now,
}: Post): Promise<PostOutcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetchWithoutRedirects(toTracesUrl(endpoint), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await readStart(response);
    const { status } = response;
    if (response.ok) return readAnswer(text);
    const problem = `answered ${status}${toShownText(explainStatus(text))}`;
    if (!TRIED_AGAIN.has(status)) return { is: 'dropped', problem };
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now());
    return { is: 'failed', problem, retryAfterMs };
  } catch (error) {
    const problem = timeout.aborted
      ? `did not answer within ${timeoutMs / 1_000} s`
      : `could not be reached${toShownText(toErrorMessage(error))}`;
    return { is: 'failed', problem, retryAfterMs: null };
  }
}

/** An `ExportTraceServiceResponse`; an empty body is one without a member. */
function readAnswer(text: string): PostOutcome {
  const answer = text.trim() === '' ? {} : parseJsonOrNull(text);
  if (!isJsonObject(answer))
    return {
      is: 'failed',
      problem: `answered, but not as a collector does${toShownText(text)}`,
      retryAfterMs: null,
    };
  const { rejectedSpans, errorMessage } = Object(answer['partialSuccess']);
  // 64 bits, which JSON of protobuf writes as text.
  const rejected = Number(rejectedSpans ?? 0);
  return {
    is: 'accepted',
    rejected: Number.isFinite(rejected) ? Math.max(0, rejected) : 0,
    message: typeof errorMessage === 'string' ? errorMessage.slice(0, MOST_SHOWN_CHARS) : '',
  };
}

/** The message of a `google.rpc.Status`, else the text itself. */
function explainStatus(text: string): string {
  const { message } = Object(parseJsonOrNull(text));
  return typeof message === 'string' ? message : text;
}

const toShownText = (text: string): string => {
  const line = shorten(joinIntoOneLine(text), MOST_SHOWN_CHARS);
  return line === '' ? '' : `: ${line}`;
};

/** The beginning of an answer. Whatever follows it is not read. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MOST_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8');
}
