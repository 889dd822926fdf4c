import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';

/** The bytes of a request. Throws SvcError `too-large`, and `malformed` where they break off. */
export async function readUpload({ req }: Pick<Context, 'req'>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of req) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new SvcError('too-large', `The body may have at most ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  if (!req.complete) throw new SvcError('malformed', 'The body broke off.');
  return Buffer.concat(pieces);
}
