import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read and thrown away, bytes: 64 MiB. Then the connection is cut. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Reads what is left of a body and throws it away, so that its sender can finish writing and then read the refusal; a connection that
 * is closed on a sender breaks its writing. Bounded by {@link MAX_DISCARDED_BYTES}.
 */
export function discardBody(req: IncomingMessage): void {
  let discarded = 0;
  req.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > MAX_DISCARDED_BYTES) req.destroy();
  });
  req.on('error', () => undefined);
  req.resume();
}

/** The body; null for one of more than `most` bytes, of which the rest is still to be read. */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer | null> {
  if (Number(req.headers['content-length'] ?? 0) > most) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const done = (body: Buffer | null): void => {
      req.off('data', take).off('end', ended).off('error', reject).off('close', closed);
      resolve(body);
    };
    const take = (piece: Buffer): void => {
      size += piece.length;
      if (size > most) done(null);
      else pieces.push(piece);
    };
    const ended = (): void => done(Buffer.concat(pieces));
    const closed = (): void => reject(new Error('The body was not sent to its end.'));
    req.on('data', take).on('end', ended).on('error', reject).on('close', closed);
  });
}
