import Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import type { LogEntry } from '../../kernel/sqlite/log/homeLog.ts';

/** Bytes before the head of an entry, which say how long it is. */
const LENGTH_BYTES = 4;
/** Longest head of an entry, bytes. */
const MAX_HEAD_BYTES = 4 * 1024;
/** Longest body of an entry, bytes. */
export const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

const Head = Type.Object({
  n: Type.Integer({ minimum: 1 }),
  generation: Type.Integer({ minimum: 0 }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size: Type.Integer({ minimum: 0, maximum: MAX_ENTRY_BYTES }),
});

const refuse = (detail: string): SvcError =>
  new SvcError('malformed', `The entries that the control plane sent cannot be read: ${detail}.`);

/** Bytes that come in pieces, read in the lengths that are asked for. */
class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #bytes = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** null = the end, before the first of these bytes. Throws where it comes in the middle of them. */
  async read(length: number): Promise<Buffer | null> {
    while (this.#bytes < length) {
      const { done, value } = await this.#pieces.next();
      if (done) {
        if (this.#bytes === 0) return null;
        throw refuse('they break off');
      }
      this.#held.push(value);
      this.#bytes += value.length;
    }
    const all = Buffer.concat(this.#held);
    this.#held = [all.subarray(length)];
    this.#bytes -= length;
    return all.subarray(0, length);
  }
}

/**
 * Entries one behind the other, as the control plane sends them: four bytes with the length of the head, the head as
 * JSON, the body. Their hashes are for the caller to check. Throws SvcError `malformed`.
 */
export async function* readEntries(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LogEntry> {
  const reader = new PieceReader(pieces);
  for (let length = await reader.read(LENGTH_BYTES); length !== null; ) {
    const headBytes = length.readUInt32BE(0);
    if (headBytes > MAX_HEAD_BYTES) throw refuse('the head of one is too long');
    const text = await reader.read(headBytes);
    const head = parseJsonOrNull(text?.toString('utf8') ?? '');
    if (!Check(Head, head)) throw refuse('the head of one is not valid');
    const { n, generation, hash, size } = head;
    const body = size === 0 ? Buffer.alloc(0) : await reader.read(size);
    if (body === null) throw refuse('they break off');
    // A copy: the piece that it is part of may be large.
    yield { n, generation, hash, body: new Uint8Array(body) };
    length = await reader.read(LENGTH_BYTES);
  }
}
