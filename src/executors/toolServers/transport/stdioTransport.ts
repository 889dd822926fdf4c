import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { LastWords } from '../../process/lastWords.ts';
import { OutputLines } from '../../process/outputLines.ts';
import { endGroup } from '../../process/endGroup.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { MAX_LINE_CHARS, MessageLines } from './messageLines.ts';

/** Error code of an answer that could not be read: JSON-RPC's "internal error". */
const INTERNAL_ERROR = -32_603;

/** A tool server's unanswered requests, which match an answer without an id to its request. */
class OpenRequests {
  readonly #ids = new Set<RequestId>();

  add(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#ids.add(message.id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      this.#ids.delete(message.params?.requestId as RequestId);
  }

  settle(message: JSONRPCMessage): JSONRPCMessage {
    if (!isJSONRPCErrorResponse(message) && !isJSONRPCResultResponse(message)) return message;
    if (message.id === undefined) {
      const id = this.#findOnly();
      if (id === null || !('error' in message)) return message;
      this.#ids.delete(id);
      return { ...message, id };
    }
    // Some servers return ids as texts.
    this.#ids.delete(message.id);
    this.#ids.delete(Number(message.id));
    return message;
  }

  /** An error for the only open request; null if none or several are open. */
  fail(message: string): JSONRPCMessage | null {
    const id = this.#findOnly();
    if (id === null) return null;
    this.#ids.delete(id);
    return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
  }

  #findOnly(): RequestId | null {
    const [id, ...others] = this.#ids;
    return id === undefined || others.length > 0 ? null : id;
  }
}

/** Wait between SIGTERM and SIGKILL, ms. */
const GRACE_MS = 500;
/** Longest wait for the rest of an ended program's output, ms: a child may hold the pipe. */
const DRAIN_MS = 500;
/** Longest part of a line that is not a message, in the log, characters. */
const MAX_NOISE_CHARS = 200;
const TOO_LONG = `its answer has more than ${MAX_LINE_CHARS} characters`;

export interface StdioServer {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  clock: Clock;
}

/**
 * A tool server as a program. Unlike the SDK's transport it gives the program a process group of
 * its own, so that all its children end with it, and nothing of our environment; it skips lines
 * that are not messages, and keeps the last words.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Output lines that were not messages: how many, and the first. */
  readonly noise: { lines: number; first: string } = { lines: 0, first: '' };
  readonly #server: StdioServer;
  readonly #words = new LastWords();
  readonly #requests = new OpenRequests();
  readonly #lines = new MessageLines({
    onMessage: (message) => this.onmessage?.(this.#requests.settle(message)),
    onNoise: (line) => {
      if (this.noise.first === '') this.noise.first = line.slice(0, MAX_NOISE_CHARS);
      this.noise.lines += 1;
    },
    onTooLong: (start) => {
      // Without it an agent would wait for the answer until the limit of calls.
      const failedRequest = start.trimStart().startsWith('{')
        ? this.#requests.fail(TOO_LONG)
        : null;
      if (failedRequest !== null) this.onmessage?.(failedRequest);
      else this.noise.lines += 1;
    },
  });
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  #ending: string | null = null;
  #isOver = false;
  #isClosing = false;

  constructor(server: StdioServer) {
    this.#server = server;
  }

  /** How the program ended by itself, with its last words; null while it runs. */
  get ending(): string | null {
    return this.#ending === null ? null : `${this.#ending}${this.words}`;
  }

  /**
   * The end of its standard error, or else its first output line that was not a message, as the end of
   * a sentence; empty if there is neither.
   */
  get words(): string {
    const words = this.#words.text();
    if (words !== '') return `; its last words: ${words}`;
    return this.noise.lines === 0 ? '' : `; its output: ${this.noise.first}`;
  }

  async start(): Promise<void> {
    const { program, args, cwd, env, clock } = this.#server;
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    const errors = new OutputLines((line) => this.#words.add(line));
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const over = () => {
      if (this.#isOver) return;
      this.#isOver = true;
      errors.end();
      this.#lines.end();
      this.onclose?.();
    };
    // A program without output cannot answer; one that ends closes its output too.
    let notifyEnd = () => {};
    child.stdout.once('end', () => {
      if (this.#isOver || child.exitCode !== null || child.signalCode !== null) return;
      notifyEnd = clock.at(clock.now() + DRAIN_MS, () => {
        this.#ending = 'it closed its standard output';
        over();
        void this.close();
      });
    });
    child.once('exit', (code, signal) => {
      notifyEnd();
      const isOurs = this.#isClosing && (signal !== null || code === 0 || Number(code) > 128);
      if (!isOurs) this.#ending = `it ended with ${signal === null ? `exit code ${code}` : signal}`;
      const late = clock.at(clock.now() + DRAIN_MS, over);
      child.once('close', () => {
        late();
        over();
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (!stdin?.writable) throw new Error('The tool server has ended.');
    this.#requests.add(message);
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const pid = this.#child?.pid;
    this.#child?.stdin.end();
    if (pid !== undefined) await endGroup(this.#server.clock, pid, GRACE_MS);
  }
}
