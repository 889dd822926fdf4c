import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { toErrorMessage } from '../base/errors/errors.ts';

const LINE_END = '\r\n';
const HEAD_END = `${LINE_END}${LINE_END}`;

interface WrittenChunk {
  chunk: string | Buffer;
  encoding: BufferEncoding;
}

const toBytes = ({ chunk, encoding }: WrittenChunk): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;

export interface ReplyHead {
  status: number;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface ReplyReader {
  /** Once, before the body. */
  onHead(head: ReplyHead): void;
  /** Instead of `onHead` and `onBody`, where all of a short reply is written at once. False = not taken: they follow. */
  onFullReply(head: ReplyHead, body: Buffer): boolean;
  /** Bytes of the body, in order. Further ones wait for the promise; it never rejects. */
  onBody(bytes: Buffer): Promise<void>;
  /** Once: the reply is complete. */
  onEnd(): void;
  /** Instead of `onEnd`: what answers has given up. */
  onBroken(reason: string): void;
}

function parseHead(text: string): ReplyHead {
  const [statusLine = '', ...lines] = text.split(LINE_END);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const nameEnd = line.indexOf(':');
    headers[line.slice(0, nameEnd).toLowerCase()] = line.slice(nameEnd + 1).trim();
  }
  return { status: Number(statusLine.split(' ')[1]), headers };
}

/** The connection of one request that is answered in this process: no bytes of it reach the network. */
export class ReplySocket extends Socket {
  readonly #reader: ReplyReader;
  #hasHead = false;
  /** All of it was passed on with its head. */
  #isWhole = false;
  #isOver = false;

  constructor(reader: ReplyReader) {
    super();
    this.#reader = reader;
    // An error is followed by a close.
    this.on('error', () => undefined);
    this.once('close', () =>
      this.#finish(() =>
        reader.onBroken(this.errored === null ? 'It ended early.' : toErrorMessage(this.errored)),
      ),
    );
  }

  /** Takes what is written to a response of Node's server, which must not have been written to. */
  attach(response: ServerResponse): void {
    // A body of unknown length is not written in chunks: the end of the connection is its end.
    response.removeHeader('Transfer-Encoding');
    response.assignSocket(this);
    this.on('drain', () => response.emit('drain'));
    response.once('finish', () => {
      this.#finish(() => this.#reader.onEnd());
      // After the callbacks of the last write: destroyed before, each of them is given an error.
      process.nextTick(() => this.destroy());
    });
  }

  /** The reader has left: what answers sees the connection close. */
  leave(): void {
    this.#isOver = true;
    this.destroy();
  }

  override _write(
    chunk: string | Buffer,
    encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    this._writev([{ chunk, encoding }], callback);
  }

  override _writev(
    chunks: readonly WrittenChunk[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#passOn(chunks).then(() => callback(), callback);
  }

  #finish(report: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    report();
  }

  async #passOn(chunks: readonly WrittenChunk[]): Promise<void> {
    const [first, ...others] = chunks.map(toBytes);
    if (first === undefined) return;
    const bodies = [this.#hasHead ? first : this.#takeHead(first, others), ...others];
    for (const bytes of bodies)
      if (bytes.length > 0 && !this.#isWhole) await this.#reader.onBody(bytes);
  }

  /** Node writes the whole head at the start of the first chunk. Gives what follows it there. */
  #takeHead(first: Buffer, others: readonly Buffer[]): Buffer {
    this.#hasHead = true;
    const end = first.indexOf(HEAD_END);
    const head = parseHead(first.toString('latin1', 0, end));
    const rest = first.subarray(end + HEAD_END.length);
    const body = others.length === 0 ? rest : Buffer.concat([rest, ...others]);
    this.#isWhole =
      body.length > 0 &&
      head.headers['content-length'] === String(body.length) &&
      this.#reader.onFullReply(head, body);
    if (!this.#isWhole) this.#reader.onHead(head);
    return rest;
  }
}
