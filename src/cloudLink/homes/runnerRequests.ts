import { ERROR_CODES, type ErrorCode, SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { fetchWithoutRedirects } from '../../base/system/network/fetchWithoutRedirects.ts';
import { shorten } from '../../base/text/clip.ts';
import type { Clock } from '../../base/time/clock.ts';
import { sleep } from '../../base/time/waiting.ts';
import { planRetry } from '../planRetry.ts';
import { toHttpAddress } from '../toHttpAddress.ts';

/** Longest wait for the head of an answer, and between two pieces of its body, ms. */
export const SILENT_MS = 30_000;
/** Longest JSON answer, bytes. */
const MAX_JSON_BYTES = 1024 * 1024;
/** The longest wait that an answer can ask for, ms. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Most characters of a message that an answer has. */
const MAX_DETAIL_CHARS = 500;

export interface RunnerRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Below the control plane's address; begins with a slash. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  body?: Uint8Array | object;
}

/** How long a request is tried. */
export interface Patience {
  signal: AbortSignal;
  /** Epoch ms, after which the last failure is thrown; default: until the signal. */
  until?: number;
  /** Called with each failure that is tried again, and with null once there is an answer. */
  onProblem?(problem: string | null): void;
}

export interface RunnerRequestsOptions {
  url: string;
  /** The newest one: the control plane changes it now and then. */
  readToken(): string;
  /** Of this program, for the control plane's log. */
  version: string;
  clock: Clock;
  /** From 0 to 1. */
  random(): number;
}

/** Answers that say nothing about the request itself. */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Codes of answers without a problem document, as to HEAD. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
};

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);

/** A failure, and how long the control plane asks to wait; null = it says nothing, and undefined = do not try again. */
interface Failure {
  error: SvcError;
  retryAfterMs: number | null | undefined;
}

/** Requests of a runner to its control plane, with its token. Redirects are not followed. */
export class RunnerRequests {
  readonly #options: RunnerRequestsOptions;
  readonly #base: string;

  /** Throws SvcError `config-invalid` for an address that the token must not be sent to. */
  constructor(options: RunnerRequestsOptions) {
    this.#options = options;
    this.#base = toHttpAddress(options.url);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /**
   * Sends a request until there is an answer; one that has failed on its way is sent again, so it has to be repeatable.
   * Throws SvcError with the code of a refusal, `cloud-unreachable` when the time is over, and the signal's reason.
   */
  async send(request: RunnerRequest, patience: Patience): Promise<Response> {
    const { clock, random } = this.#options;
    const { signal, until = Number.POSITIVE_INFINITY, onProblem } = patience;
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      const answer = await this.#try(request, signal);
      if (answer instanceof Response) {
        onProblem?.(null);
        return answer;
      }
      signal.throwIfAborted();
      const { error, retryAfterMs } = answer;
      if (retryAfterMs === undefined) throw error;
      const wait = Math.max(retryAfterMs ?? 0, planRetry(attempt, random));
      if (clock.now() + wait >= until) throw error;
      onProblem?.(error.message);
      await sleep(clock, wait, signal);
    }
  }

  /** The same for an answer in JSON. */
  async ask(request: RunnerRequest, patience: Patience): Promise<unknown> {
    const answer = await this.send(request, patience);
    const bytes = await readAll(readPieces(answer, this.clock), MAX_JSON_BYTES);
    return parseJsonOrNull(new TextDecoder().decode(bytes));
  }

  async #try(request: RunnerRequest, signal: AbortSignal): Promise<Response | Failure> {
    const { readToken: token, version, clock } = this.#options;
    const { method, path, headers = {}, body } = request;
    const isBytes = body instanceof Uint8Array;
    const silence = new AbortController();
    const cancel = clock.at(clock.now() + SILENT_MS, () => silence.abort());
    try {
      const answer = await fetchWithoutRedirects(`${this.#base}${path}`, {
        method,
        headers: {
          Accept: 'application/json, application/octet-stream',
          'User-Agent': `svc/${version}`,
          ...(body === undefined
            ? {}
            : { 'Content-Type': isBytes ? 'application/octet-stream' : 'application/json' }),
          ...headers,
          Authorization: `Bearer ${token()}`,
        },
        ...(body === undefined ? {} : { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
        signal: AbortSignal.any([signal, silence.signal]),
      });
      return answer.ok ? answer : await this.#readFailure(answer, request);
    } catch (cause) {
      const why = silence.signal.aborted
        ? `it has not answered for ${SILENT_MS / 1000} s`
        : toErrorMessage(cause);
      return { error: this.#toUnreachable(why, cause), retryAfterMs: null };
    } finally {
      cancel();
    }
  }

  async #readFailure(answer: Response, { method, path }: RunnerRequest): Promise<Failure> {
    const { status } = answer;
    const bytes = await readAll(readPieces(answer, this.clock), MAX_JSON_BYTES).catch(() => null);
    const problem = bytes === null ? null : parseJsonOrNull(new TextDecoder().decode(bytes));
    const { code, detail, data = problem } = isJsonObject(problem) ? problem : {};
    const text =
      typeof detail === 'string' ? shorten(detail, MAX_DETAIL_CHARS) : `status ${status}`;
    if (PASSING_STATUS.has(status))
      return { error: this.#toUnreachable(text), retryAfterMs: readRetryAfter(answer) };
    const knownCode = isErrorCode(code) ? code : (CODE_BY_STATUS[status] ?? 'internal');
    return {
      error: new SvcError(knownCode, `The control plane refuses ${method} ${path}: ${text}`, {
        data: isJsonObject(data) ? data : {},
      }),
      retryAfterMs: undefined,
    };
  }

  #toUnreachable(why: string, cause?: unknown): SvcError {
    return new SvcError(
      'cloud-unreachable',
      `The control plane at ${this.#base} cannot be reached: ${why}.`,
      { cause },
    );
  }
}

function readRetryAfter({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : null;
}

/** The bytes of an answer as they come. Throws SvcError `cloud-unreachable` where they break off or stay away. */
export async function* readPieces(answer: Response, clock: Clock): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, clock);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Clock,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let cancel = (): void => undefined;
  const silent = new Promise<never>((_, reject) => {
    cancel = clock.at(clock.now() + SILENT_MS, () => reject(new Error('nothing more came')));
  });
  try {
    return await Promise.race([reader.read(), silent]);
  } catch (cause) {
    throw new SvcError(
      'cloud-unreachable',
      `An answer of the control plane broke off: ${toErrorMessage(cause)}.`,
      { cause },
    );
  } finally {
    cancel();
  }
}

/** All bytes together. Throws SvcError `too-large` above `most`. */
export async function readAll(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most)
      throw new SvcError('too-large', `An answer has more than ${most} bytes, the limit.`);
    all.push(piece);
  }
  return Buffer.concat(all);
}
