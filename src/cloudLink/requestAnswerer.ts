import { ERROR_CODES, type ErrorCode, SvcError, toErrorMessage } from '../base/errors/errors.ts';
import { Credits } from '../contract/channel/credits.ts';
import type { Frame, ReceivedFrame } from '../contract/channel/frames.ts';
import type { FrameSocket } from '../contract/channel/frameSocket.ts';
import {
  MAX_HELD_REQUEST_BYTES,
  MAX_OPEN_REQUESTS,
  MAX_OPEN_REQUESTS_OF_MEMBER,
  MAX_PART_BYTES,
  MAX_REQUEST_BYTES,
  PART_CREDITS,
} from '../contract/channel/limits.ts';
import { askOwnApp, isAllowedMethod, type OwnApp, pickReplyHeaders } from './ownApp.ts';
import type { ReplyReader, ReplySocket } from './replySocket.ts';

interface OpenRequest {
  head: Frame<'request'>;
  parts: Uint8Array[];
  bytes: number;
  credits: Credits;
  /** It was sent on. */
  isAsked: boolean;
  /** Where its reply is written; null = not yet. */
  reply: ReplySocket | null;
}

type AnswerSocket = Pick<FrameSocket, 'send' | 'flush' | 'hasRoom' | 'isFull' | 'isOpen'>;

/** Most characters of why a reply breaks off. */
const MAX_REASON_CHARS = 1_000;

const encoder = new TextEncoder();

/** Answers the requests that come through one socket, as the runner's own port answers them. */
export class RequestAnswerer {
  readonly #socket: AnswerSocket;
  readonly #app: OwnApp;
  readonly #open = new Map<string, OpenRequest>();
  #heldBytes = 0;

  constructor(socket: AnswerSocket, app: OwnApp) {
    this.#socket = socket;
    this.#app = app;
  }

  get count(): number {
    return this.#open.size;
  }

  begin({ body: _, ...head }: ReceivedFrame<'request'>): void {
    const { id, size } = head;
    if (this.#open.has(id)) throw new Error(`The request ${id} began twice.`);
    const refusal = this.#findRefusal(head);
    if (refusal !== null) {
      this.#refuse(id, ...refusal);
      return;
    }
    this.#heldBytes += size;
    const one: OpenRequest = {
      head,
      parts: [],
      bytes: 0,
      credits: new Credits(PART_CREDITS),
      isAsked: false,
      reply: null,
    };
    this.#open.set(id, one);
    if (size === 0) this.#ask(id, one);
  }

  #findRefusal({ method, size, person }: Frame<'request'>): [ErrorCode, string] | null {
    if (!isAllowedMethod(method)) return ['method-not-allowed', method];
    if (size > MAX_REQUEST_BYTES) return ['too-large', 'The body is too large.'];
    const isFull = this.#heldBytes + size > MAX_HELD_REQUEST_BYTES;
    if (this.#open.size >= MAX_OPEN_REQUESTS || isFull)
      return ['busy', 'Too many requests to this runner are open.'];
    if (person !== null && this.#countOpen(person.userId) >= MAX_OPEN_REQUESTS_OF_MEMBER)
      return ['busy', 'You have too many requests to this runner open. Close some of its pages.'];
    return null;
  }

  #countOpen(userId: string): number {
    let count = 0;
    for (const { head } of this.#open.values()) if (head.person?.userId === userId) count += 1;
    return count;
  }

  /** A part of a request's body. */
  takePart({ id, body }: ReceivedFrame<'part'>): void {
    const one = this.#open.get(id);
    // One that was refused, or has been cancelled.
    if (one === undefined || one.isAsked) return;
    one.parts.push(body);
    one.bytes += body.length;
    if (one.bytes > one.head.size) {
      this.#close(id);
      this.#refuse(id, 'malformed', 'The body is longer than its size.');
    } else if (one.bytes === one.head.size) this.#ask(id, one);
  }

  addCredit({ id, parts }: ReceivedFrame<'credit'>): void {
    this.#open.get(id)?.credits.add(parts);
  }

  /** The reader has left: the route of the runner notices. */
  cancel({ id }: ReceivedFrame<'cancel'>): void {
    this.#close(id);
  }

  /** The socket is gone, and with it all readers. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.#close(id);
  }

  #ask(id: string, one: OpenRequest): void {
    const { head, parts } = one;
    one.isAsked = true;
    one.parts = [];
    const body = head.size === 0 ? null : Buffer.concat(parts);
    try {
      one.reply = askOwnApp(this.#app, head, body, this.#createReader(id, one));
    } catch (error) {
      this.#close(id);
      const code = error instanceof SvcError ? error.code : 'internal';
      this.#refuse(id, code, toErrorMessage(error));
    }
  }

  /** Sends a reply while it is written. */
  #createReader(id: string, one: OpenRequest): ReplyReader {
    const isCurrent = () => this.#open.get(id) === one;
    let isReplied = false;
    let isEnded = false;
    // Where it is known, the last part says that it is: one frame less for each reply.
    let remainingBytes = Infinity;
    return {
      onHead: (head) => {
        if (!isCurrent()) return;
        isReplied = true;
        remainingBytes = Number(head.headers['content-length'] ?? Infinity);
        const headers = pickReplyHeaders(head);
        this.#socket.send({ type: 'response', id, status: head.status, headers });
      },
      onFullReply: (head, body) => {
        const fits = one.head.takesFullReply === true && body.length <= MAX_PART_BYTES;
        if (!fits || !isCurrent() || this.#socket.isFull) return false;
        isReplied = true;
        isEnded = true;
        const { status } = head;
        const headers = pickReplyHeaders(head);
        this.#socket.send({ type: 'response', id, status, headers, isFull: true, body });
        this.#flushSingle();
        return true;
      },
      onBody: async (bytes) => {
        for (let from = 0; from < bytes.length; from += MAX_PART_BYTES) {
          const maySend = (await one.credits.take()) && (await this.#socket.hasRoom());
          if (!maySend || !isCurrent()) return;
          const body = bytes.subarray(from, from + MAX_PART_BYTES);
          remainingBytes -= body.length;
          isEnded = remainingBytes === 0;
          this.#socket.send({ type: 'part', id, body, ...(isEnded ? { end: true } : {}) });
          if (isEnded) this.#flushSingle();
        }
      },
      onEnd: () => {
        if (!isCurrent()) return;
        if (!isEnded) this.#socket.send({ type: 'part', id, end: true });
        this.#close(id);
      },
      onBroken: (reason) => {
        if (!isCurrent()) return;
        this.#close(id);
        if (!isReplied)
          this.#refuse(id, 'stopping', `The runner does not take requests: ${reason}`);
        else if (!isEnded)
          this.#socket.send({ type: 'cancel', id, reason: reason.slice(0, MAX_REASON_CHARS) });
      },
    };
  }

  /** Several replies of one turn share a write; the reader of a single one does not wait for what its route still does. */
  #flushSingle(): void {
    if (this.#open.size === 1) this.#socket.flush();
  }

  #close(id: string): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    this.#open.delete(id);
    this.#heldBytes -= one.head.size;
    one.credits.close();
    one.reply?.leave();
  }

  /** A problem document of the link itself. */
  #refuse(id: string, code: ErrorCode, detail: string): void {
    const [status, title] = ERROR_CODES[code];
    const reason = status === 503 ? { reason: code } : {};
    const problem = { ...reason, type: `urn:svc:problem:${code}`, title, status, detail, code };
    const body = encoder.encode(JSON.stringify(problem));
    const headers = {
      'content-type': 'application/problem+json',
      'content-length': String(body.length),
      ...(status === 503 ? { 'retry-after': '1' } : {}),
    };
    this.#socket.send({ type: 'response', id, status, headers });
    this.#socket.send({ type: 'part', id, end: true, body });
  }
}
