import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { monotonicMs } from './monotonic.ts';

/** What begins a line of an agent in a frame; the instant at which it was said follows. */
const LINE = '"line":"';
const LINE_END = '\n\n';

/** One reader of a job's stream, which measures how old each line is that it gets. */
export class StreamReader {
  /** From said to received, of each line, ms. */
  readonly ages: number[];
  readonly #socket: Socket;
  #rest = '';

  private constructor(socket: Socket, ages: number[]) {
    this.#socket = socket;
    this.ages = ages;
    socket.on('data', (bytes: Buffer) => this.#read(bytes.toString('latin1')));
  }

  /** Opens the stream of a job from its end on; resolves when the runner has answered. */
  static async open(port: number, jobId: string, ages: number[]): Promise<StreamReader> {
    const socket = connect({ host: '127.0.0.1', port });
    const reader = new StreamReader(socket, ages);
    socket.write(
      `GET /jobs/${jobId}/stream?tail=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await once(socket, 'data');
    return reader;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    const now = monotonicMs();
    const all = this.#rest + text;
    let from = 0;
    for (let end = all.indexOf(LINE_END, from); end >= 0; end = all.indexOf(LINE_END, from)) {
      const line = all.indexOf(LINE, from);
      if (line >= 0 && line < end) {
        const sentAt = Number.parseFloat(all.slice(line + LINE.length, line + LINE.length + 24));
        if (!Number.isNaN(sentAt)) this.ages.push(now - sentAt);
      }
      from = end + LINE_END.length;
    }
    this.#rest = all.slice(from);
  }
}
