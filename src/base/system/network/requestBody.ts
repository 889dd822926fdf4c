import type { IncomingMessage } from 'node:http';

/** Bytes of a refused body that are read and thrown away: 64 MiB; then the connection is cut. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** Longest wait for the sender of a refused body, ms. */
const MAX_DISCARD_MS = 30_000;

/**
 * Reads what is left of a body and throws it away. To be waited for before the refusal is sent: a
 * connection that is closed on a sender, as after the answer to `Connection: close`, breaks its
 * writing, and it never reads the answer. Ends with the body, after {@link MAX_DISCARDED_BYTES}, or
 * after 30 s; never rejects.
 */
export function discardBody(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (req.complete || req.destroyed) return resolve();
    let discardedBytes = 0;
    const timer = setTimeout(() => finish(), MAX_DISCARD_MS);
    const count = (piece: Buffer): void => {
      discardedBytes += piece.length;
      if (discardedBytes > MAX_DISCARDED_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      req.off('data', count).off('end', finish).off('close', finish);
      resolve();
    };
    req.on('error', () => undefined);
    req.on('data', count).on('end', finish).on('close', finish);
    req.resume();
  });
}

/** The body; null if it has more than `most` bytes, the rest of which is still unread. */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer | null> {
  if (Number(req.headers['content-length'] ?? 0) > most) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const finish = (body: Buffer | null): void => {
      req.off('data', take).off('end', onEnd).off('error', reject).off('close', onClose);
      resolve(body);
    };
    const take = (piece: Buffer): void => {
      size += piece.length;
      if (size > most) finish(null);
      else pieces.push(piece);
    };
    const onEnd = (): void => finish(Buffer.concat(pieces));
    const onClose = (): void => reject(new Error('The request body is incomplete.'));
    req.on('data', take).on('end', onEnd).on('error', reject).on('close', onClose);
  });
}
