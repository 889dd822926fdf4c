import type { ClientRequest, IncomingMessage } from 'node:http';
import { ERROR_CODES, type ErrorCode, toErrorMessage } from '../base/errors/errors.ts';
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
import { askOwnPort, isAllowedMethod, type OwnPort, pickReplyHeaders } from './ownPort.ts';

interface OpenRequest {
  head: Frame<'request'>;
  parts: Uint8Array[];
  bytes: number;
  credits: Credits;
  /** Once it was sent on. */
  asked: ClientRequest | null;
  /** The head of its reply was sent. */
  isReplied: boolean;
}

const encoder = new TextEncoder();

/** Answers the requests that come through one socket, by asking the runner's own port. */
export class RequestAnswerer {
  readonly #socket: Pick<FrameSocket, 'send' | 'hasRoom' | 'isOpen'>;
  readonly #port: OwnPort;
  readonly #open = new Map<string, OpenRequest>();
  #heldBytes = 0;

  constructor(socket: Pick<FrameSocket, 'send' | 'hasRoom' | 'isOpen'>, port: OwnPort) {
    this.#socket = socket;
    this.#port = port;
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
      asked: null,
      isReplied: false,
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
    if (one === undefined || one.asked !== null) return;
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
    try {
      one.asked = askOwnPort(this.#port, head, head.size === 0 ? null : Buffer.concat(parts));
    } catch (error) {
      this.#close(id);
      this.#refuse(id, 'malformed', toErrorMessage(error));
      return;
    }
    one.parts = [];
    one.asked.once('response', (reply) => {
      void this.#sendReply(id, one, reply);
    });
    one.asked.once('error', (error) => {
      // A reply that breaks off is reported by its reader.
      if (this.#open.get(id) !== one || one.isReplied) return;
      this.#close(id);
      this.#refuse(id, 'stopping', `The runner does not take requests: ${toErrorMessage(error)}`);
    });
  }

  async #sendReply(id: string, one: OpenRequest, reply: IncomingMessage): Promise<void> {
    const isCurrent = () => this.#open.get(id) === one;
    const status = reply.statusCode ?? 502;
    one.isReplied = true;
    this.#socket.send({ type: 'response', id, status, headers: pickReplyHeaders(reply) });
    // Where it is known, the last part says that it is: one frame less for each reply.
    let remainingBytes = Number(reply.headers['content-length'] ?? Infinity);
    let isEnded = false;
    try {
      for await (const chunk of reply) {
        for (let from = 0; from < chunk.length; from += MAX_PART_BYTES) {
          if (!(await one.credits.take()) || !(await this.#socket.hasRoom())) return;
          if (!isCurrent()) return;
          const body = chunk.subarray(from, from + MAX_PART_BYTES);
          remainingBytes -= body.length;
          isEnded = remainingBytes === 0;
          this.#socket.send({ type: 'part', id, body, ...(isEnded ? { end: true } : {}) });
        }
      }
      if (isCurrent() && !isEnded) this.#socket.send({ type: 'part', id, end: true });
    } catch (error) {
      if (isCurrent() && !isEnded)
        this.#socket.send({ type: 'cancel', id, reason: toErrorMessage(error).slice(0, 1_000) });
    } finally {
      if (isCurrent()) this.#close(id);
    }
  }

  #close(id: string): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    this.#open.delete(id);
    this.#heldBytes -= one.head.size;
    one.credits.close();
    one.asked?.once('error', () => undefined).destroy();
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
