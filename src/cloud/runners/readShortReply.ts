import { SvcError } from '../../base/errors/errors.ts';
import { MAX_PART_BYTES } from '../../contract/channel/limits.ts';
import type { RunnerReply } from './runnerDirectory.ts';

const createLengthError = (what: string): SvcError =>
  new SvcError('runner-away', `The reply of the runner is ${what} than it says. Send it again.`);

/**
 * Waits for the body of a reply that says it is short, up to one part: it is sent in one piece, and one that breaks off
 * is an error instead of half an answer. Others are given back as they are. Throws SvcError `runner-away`.
 */
export async function readShortReply(reply: RunnerReply): Promise<RunnerReply> {
  const length = Number(/^\d{1,6}$/.exec(reply.headers['content-length'] ?? '')?.[0] ?? Infinity);
  if (length > MAX_PART_BYTES) return reply;
  if (reply.fullBody?.length === length) return reply;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body) {
    bytes += part.length;
    if (bytes > length) throw createLengthError('longer');
    parts.push(part);
  }
  if (bytes < length) throw createLengthError('shorter');
  return { ...reply, fullBody: Buffer.concat(parts) };
}
