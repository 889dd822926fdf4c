import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { Clock } from '../../../base/time/clock.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { raceDeadline, sleep } from '../../../base/time/waiting.ts';
import { type ListedTools, listTools } from '../tools/listTools.ts';
import { isLostSession, isRefusedByServer, isSdkTimeout, LostCall } from './lostCall.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import {
  describeRefusal,
  isNotSent,
  isOtherTransport,
  readHttpStatus,
  toToolServerFault,
  ToolServerFault,
  formatSdkError,
} from './toolServerFault.ts';
import { type ServerAnswer, toAnswer } from '../tools/toAnswer.ts';

/** Longest call without a sign of progress, ms. */
const CALL_MS = 600_000;
/** Longest call, whatever progress it reports, ms. */
const LONGEST_CALL_MS = 3_600_000;
/** Waits for a restarting server, ms. */
const RESTART_WAITS_MS = [500, 1_500, 3_000] as const;
/** Longest wait for the end of a program, ms. */
const END_MS = 500;
/** Longest wait for a server to end a session, ms. */
const GOODBYE_MS = 1_000;

/** Shared, since each client would create its own. */
const schemaValidator = new AjvJsonSchemaValidator();

export interface ConnectionOptions {
  /**
   * Transports in the order in which they are tried; the next one only if the server answers as
   * another kind.
   */
  transports: readonly (() => Transport)[];
  clock: Clock;
  startMs: number;
  screen(text: string): string;
}

export interface CallOptions {
  signal: AbortSignal;
  onProgress?(progress: { progress: number; total?: number; message?: string }): void;
}

interface Open {
  client: Client;
  transport: Transport;
}

/** How a program has ended; null if it runs or the server is not a program. */
const readTransportEnding = (transport: Transport | null): string | null =>
  transport instanceof StdioTransport ? transport.ending : null;

/**
 * A signal for one request. The SDK adds a listener for each and never removes it, so on the signal
 * of a session they would add up, and Node warns from the eleventh on.
 */
const createOwnSignal = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal]);

/** One tool server; the next use after a lost connection reconnects. */
export class ServerConnection {
  readonly #options: ConnectionOptions;
  #open: Open | null = null;
  #opening: Promise<Open> | null = null;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get instructions(): string {
    return this.#open?.client.getInstructions() ?? '';
  }

  /** Output lines of a program that were not messages, for people; null = none. */
  get noise(): string | null {
    const { transport } = this.#open ?? {};
    if (!(transport instanceof StdioTransport && transport.noise.lines > 0)) return null;
    const { lines, first } = transport.noise;
    return this.#screen(
      `${lines === 1 ? '1 line' : `${lines} lines`} of its standard output ${lines === 1 ? 'is not a message and was' : 'are not messages and were'} skipped; the first: ${first}`,
    );
  }

  /** The tools, and those left out. Connects if needed. Throws ToolServerFault. */
  async tools(stop?: AbortSignal): Promise<ListedTools> {
    const { clock, startMs } = this.#options;
    const signal = stop && createOwnSignal(stop);
    const endBy = clock.now() + startMs;
    const { client, transport } = await this.#ensureOpen(signal);
    const timeout = Math.max(1, endBy - clock.now());
    try {
      return await listTools(client, { clock, timeout, ...(signal ? { signal } : {}) });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw await this.#toFault(error, transport);
    }
  }

  /**
   * Calls a tool. Calls again only if the first call was certainly not carried out: the server was
   * missing, or had forgotten the session. Throws LostCall without an answer.
   */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal: stop, ...more }: CallOptions,
  ): Promise<ServerAnswer> {
    const signal = createOwnSignal(stop);
    const options = { ...more, signal };
    for (let isAgain = false; ; isAgain = true) {
      const open = await this.#awaitOpen(signal);
      try {
        return await this.#ask(open, name, args, options);
      } catch (error) {
        if (signal.aborted) throw error;
        if (isRefusedByServer(error) && !isLostSession(error, open.transport))
          return toAnswer({ content: describeRefusal(error), isError: true });
        if (!isNotSent(error) && !isLostSession(error, open.transport))
          throw await this.#toLostCall(error, open);
        await this.#drop(open);
        if (isAgain) throw new LostCall(this.#screen(formatSdkError(error)), 'not carried out');
      }
    }
  }

  async heal(): Promise<boolean> {
    try {
      await this.tools();
      return true;
    } catch {
      if (this.#open) await this.#drop(this.#open);
    }
    return this.tools().then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#open ?? (await this.#opening?.catch(() => null)) ?? null;
    if (open) await this.#drop(open);
  }

  async #ask(
    { client }: Open,
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal, onProgress }: CallOptions,
  ): Promise<ServerAnswer> {
    return toAnswer(
      await client.request(
        { method: 'tools/call', params: { name, arguments: { ...args } } },
        ResultSchema,
        {
          signal,
          timeout: CALL_MS,
          maxTotalTimeout: LONGEST_CALL_MS,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress, total, message }) =>
            onProgress?.({
              progress,
              ...(total === undefined ? {} : { total }),
              ...(message === undefined ? {} : { message }),
            }),
        },
      ),
    );
  }

  async #toLostCall(error: unknown, { transport }: Open): Promise<LostCall> {
    await this.#awaitEnd(transport);
    const status = readHttpStatus(error);
    return new LostCall(
      this.#screen(readTransportEnding(transport) ?? formatSdkError(error)),
      status !== null && status < 500 ? 'not carried out' : 'unknown',
    );
  }

  /** The connection; waits a moment for a restarting server. */
  async #awaitOpen(signal: AbortSignal): Promise<Open> {
    const { clock } = this.#options;
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#ensureOpen(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        const isStarting = error instanceof ToolServerFault && error.kind === 'server-away';
        const wait = isStarting ? RESTART_WAITS_MS[tries] : undefined;
        if (wait === undefined)
          throw new LostCall(`it cannot be connected: ${toErrorMessage(error)}`, 'not carried out');
        await sleep(clock, wait, signal);
      }
    }
  }

  async #ensureOpen(signal?: AbortSignal): Promise<Open> {
    if (this.#open) return this.#open;
    // Simultaneous calls share one connection.
    this.#opening ??= this.#connect(signal).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #connect(signal?: AbortSignal): Promise<Open> {
    const { transports } = this.#options;
    let first: unknown = null;
    for (const create of transports) {
      let transport: Transport | null = null;
      try {
        transport = create();
        return await this.#begin(transport, signal);
      } catch (error) {
        if (!signal?.aborted) first ??= await this.#toFault(error, transport);
        await transport?.close().catch(() => {});
        if (signal?.aborted) throw error;
        if (!isOtherTransport(error)) break;
      }
    }
    throw first;
  }

  async #begin(transport: Transport, signal?: AbortSignal): Promise<Open> {
    const { clock, startMs } = this.#options;
    const client = new Client(
      { name: 'svc', version: '1' },
      { jsonSchemaValidator: schemaValidator },
    );
    const open = { client, transport };
    client.onclose = () => {
      if (this.#open === open) this.#open = null;
    };
    const connecting = client.connect(transport, {
      timeout: startMs,
      ...(signal ? { signal } : {}),
    });
    connecting.catch(() => {});
    // The older transport waits without limit for its first event.
    await raceDeadline(clock, startMs, connecting, () => {
      throw new ToolServerFault('server-away', describeLateStart(startMs));
    });
    if (this.#isClosed) throw new ToolServerFault('server-away', 'the session is over');
    // The older transport reconnects by itself, but the server has then lost the session.
    client.onerror = (error) => {
      if (error instanceof SseError) void this.#drop(open);
    };
    this.#open = open;
    return open;
  }

  async #drop(open: Open): Promise<void> {
    if (this.#open === open) this.#open = null;
    const { transport, client } = open;
    const { terminateSession }: { terminateSession?: unknown } = Object(transport);
    if (typeof terminateSession === 'function' && transport.sessionId !== undefined) {
      const ending = Promise.resolve(terminateSession.call(transport)).catch(() => {});
      await raceDeadline(this.#options.clock, GOODBYE_MS, ending, () => {});
    }
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
  }

  /** Waits until a program that is about to end has ended. */
  async #awaitEnd(transport: Transport | null): Promise<void> {
    const { clock } = this.#options;
    if (!(transport instanceof StdioTransport)) return;
    for (let waitedMs = 0; waitedMs < END_MS && transport.ending === null; waitedMs += 50)
      await sleep(clock, 50);
  }

  async #toFault(error: unknown, transport: Transport | null): Promise<ToolServerFault> {
    const isLate = isSdkTimeout(error);
    if (!isLate && !(error instanceof ToolServerFault)) await this.#awaitEnd(transport);
    const ending = readTransportEnding(transport);
    if (ending !== null && !isLate)
      return new ToolServerFault('server-not-started', this.#screen(ending));
    const words = transport instanceof StdioTransport ? transport.words : '';
    const { kind, message } = isLate
      ? new ToolServerFault('server-away', describeLateStart(this.#options.startMs))
      : toToolServerFault(error);
    return new ToolServerFault(kind, this.#screen(`${message}${words}`));
  }

  #screen(words: string): string {
    return this.#options.screen(words);
  }
}

const describeLateStart = (ms: number): string =>
  `it did not start and list its tools within ${ms / 1000} s (timeoutMs)`;
