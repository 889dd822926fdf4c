import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { toErrorMessage } from '../base/errors/errors.ts';

const LINE_END = '\r\n';
const HEAD_END = `${LINE_END}${LINE_END}`;

interface WrittenChunk {
  chunk: string | Buffer;
  encoding: BufferEncoding;
}

export interface ReplyHead {
  status: number;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface ReplyReader {
  /** Once, before the body. */
  onHead(head: ReplyHead): void;
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
    for (const { chunk, encoding } of chunks) {
      const bytes = this.#takeHead(
        typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
      );
      if (bytes.length > 0) await this.#reader.onBody(bytes);
    }
  }

  /** Node writes the whole head at the start of the first chunk. */
  #takeHead(bytes: Buffer): Buffer {
    if (this.#hasHead) return bytes;
    this.#hasHead = true;
    const end = bytes.indexOf(HEAD_END);
    this.#reader.onHead(parseHead(bytes.toString('latin1', 0, end)));
    return bytes.subarray(end + HEAD_END.length);
  }
}
