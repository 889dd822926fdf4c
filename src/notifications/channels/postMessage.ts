import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { fetchWithoutRedirects } from '../../base/system/network/fetchWithoutRedirects.ts';
import { joinIntoOneLine, shorten } from '../../base/text/clip.ts';
import { parseRetryAfter } from '../rules/planRetry.ts';
import type { SendOutcome } from './channel.ts';

/** Longest wait for the answer to a message, ms. */
export const POST_TIMEOUT_MS = 20_000;
/** What is read of an answer, bytes. */
const MOST_ANSWER_BYTES = 262_144;
const MOST_SHOWN_CHARS = 200;

/** System calls that fail before the first byte of a message is sent. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo']);
/** Statuses of a refusal that is about the content of the message. */
const FINAL_STATUSES = new Set([400, 413, 415, 422]);

export interface Post {
  url: string;
  body: string | Uint8Array;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Epoch ms. */
  now(): number;
  /** What an answer with 2xx means, where its text says it; default: delivered. */
  readOutcome?(text: string): SendOutcome;
  /** What an answer that is not 2xx means; null, the default = what its status says. */
  explain?(answer: RefusedAnswer): Partial<Extract<SendOutcome, { is: 'refused' }>> | null;
}

export interface RefusedAnswer {
  status: number;
  /** Its beginning. */
  text: string;
}

/** Sends a message by POST. 2xx is delivered; 429, 503 and 4xx are refused; everything else is uncertain. */
export async function postMessage({
  url,
  body,
  headers,
  signal,
  now,
  readOutcome,
  explain,
}: Post): Promise<SendOutcome> {
  const timeout = AbortSignal.timeout(POST_TIMEOUT_MS);
  try {
    const response = await fetchWithoutRedirects(url, {
      method: 'POST',
      headers,
      body: body as BodyInit,
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await readStart(response);
    const { status } = response;
    const retryAfter = response.headers.get('retry-after');
    const outcome = classifyAnswer({ status, text, retryAfter }, now());
    if (outcome.is === 'delivered') return readOutcome?.(text) ?? outcome;
    return outcome.is === 'refused' ? { ...outcome, ...explain?.({ status, text }) } : outcome;
  } catch (error) {
    if (timeout.aborted) return { is: 'uncertain', problem: 'did not answer in time' };
    return classifyFailure(error);
  }
}

/** What an answer means: 2xx is delivered; 429, 503 and 4xx are refused; everything else is uncertain. `now`: epoch ms. */
export function classifyAnswer(
  { status, text, retryAfter }: RefusedAnswer & { retryAfter: string | null },
  now: number,
): SendOutcome {
  if (status >= 200 && status < 300) return { is: 'delivered' };
  const explanation = shorten(joinIntoOneLine(pickExplanation(text)), MOST_SHOWN_CHARS);
  const problem = `answered ${status}${explanation === '' ? '' : `: ${explanation}`}`;
  if (status >= 500 && status !== 503) return { is: 'uncertain', problem };
  const final = FINAL_STATUSES.has(status);
  return { is: 'refused', problem, final, retryAfterMs: parseRetryAfter(retryAfter, now) };
}

/** The same with a value as JSON. */
export const postJson = ({ value, headers, ...post }: Omit<Post, 'body'> & { value: unknown }) =>
  postMessage({
    ...post,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json', ...headers },
  });

/** What it means that no answer came. */
export function classifyFailure(error: unknown): SendOutcome {
  const { syscall, code } = Object(error) as { syscall?: unknown; code?: unknown };
  const problem = `could not be reached: ${shorten(joinIntoOneLine(toErrorMessage(error)), MOST_SHOWN_CHARS)}`;
  const isBefore =
    BEFORE_SENDING.has(String(syscall)) || /CERT|TLS|SSL|CONNECT_TIMEOUT/.test(String(code));
  return isBefore
    ? { is: 'refused', problem, final: false, retryAfterMs: null }
    : { is: 'uncertain', problem };
}

/** What an answer says to people: the message of an error in JSON, else all of it. */
function pickExplanation(text: string): string {
  const { message, error } = Object(parseJsonOrNull(text)) as {
    message?: unknown;
    error?: unknown;
  };
  const inner = Object(error) as { message?: unknown };
  const problemText = [message, error, inner.message].find((one) => typeof one === 'string');
  return typeof problemText === 'string' ? problemText : text;
}

/** The beginning of an answer as text. Whatever follows it is not read. */
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
