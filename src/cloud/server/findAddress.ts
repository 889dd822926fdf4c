import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress } from '../../base/http/isLoopbackAddress.ts';

/**
 * The address that limits count by. A proxy on this machine names its client last in
 * X-Forwarded-For; from anywhere else the header is not believed.
 */
export function findAddress(req: IncomingMessage): string {
  const peer = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const forwarded = req.headers['x-forwarded-for'];
  if (!isLoopbackAddress(peer) || forwarded === undefined) return peer;
  const last = String(forwarded).split(',').at(-1)?.trim();
  return last === undefined || last === '' ? peer : last;
}
