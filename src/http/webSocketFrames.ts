import { createHash } from 'node:crypto';

/** Said by RFC 6455 to be put behind the client's key. */
const HANDSHAKE = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const;
/** Most bytes of one message from a reader: they have nothing to say but goodbye. */
const MAX_INCOMING_BYTES = 4_096;

export const acceptKey = (key: string): string => createHash('sha1').update(`${key}${HANDSHAKE}`).digest('base64');

/** One whole message from server to client, which is not masked. */
function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127]), sizeOf(length)]);
  return Buffer.concat([head, payload]);
}

function sizeOf(length: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length));
  return size;
}

export const textFrame = (text: string): Buffer => frame(OPCODE.text, Buffer.from(text));
/** 1001: the server goes away. */
export const goodbyeFrame = (): Buffer => frame(OPCODE.close, Buffer.from([0x03, 0xe9]));

/** What is to be answered to what a reader sent; `end`: it is over with it, politely or not. */
export interface Reaction {
  answers: Buffer[];
  end: boolean;
}

/** Reads what a reader sends: pings are answered, a close is, all else is thrown away; what is not a frame ends it. */
export class IncomingFrames {
  #rest = Buffer.alloc(0);

  take(bytes: Buffer): Reaction {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const answers: Buffer[] = [];
    for (;;) {
      const next = this.#next();
      if (next === 'wrong') return { answers, end: true };
      if (next === 'more') return { answers, end: false };
      if (next.opcode === OPCODE.close)
        return { answers: [...answers, frame(OPCODE.close, next.payload.subarray(0, 2))], end: true };
      if (next.opcode === OPCODE.ping) answers.push(frame(OPCODE.pong, next.payload));
    }
  }

  #next(): { opcode: number; payload: Buffer } | 'more' | 'wrong' {
    const bytes = this.#rest;
    if (bytes.length < 6) return 'more';
    const [first = 0, second = 0] = bytes;
    const short = second & 0x7f;
    const masked = (second & 0x80) !== 0;
    if (!masked || short === 127) return 'wrong';
    const at = short === 126 ? 4 : 2;
    const length = short === 126 ? bytes.readUInt16BE(2) : short;
    if (length > MAX_INCOMING_BYTES) return 'wrong';
    const end = at + 4 + length;
    if (bytes.length < end) return 'more';
    const mask = bytes.subarray(at, at + 4);
    const payload = Buffer.from(bytes.subarray(at + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
    this.#rest = bytes.subarray(end);
    return { opcode: first & 0x0f, payload };
  }
}
