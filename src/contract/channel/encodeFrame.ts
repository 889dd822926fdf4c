import { SvcError } from '../../base/errors/errors.ts';
import type { Frame } from './frames.ts';
import { CHANNEL_VERSION, LENGTH_BYTES, MAX_HEAD_BYTES, MAX_PART_BYTES } from './limits.ts';

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** The bytes of a frame: length of the head, head, body. Throws SvcError `too-large`. */
export function encodeFrame({ body = NOTHING, ...head }: Frame): Uint8Array<ArrayBuffer> {
  const text = encoder.encode(JSON.stringify({ v: CHANNEL_VERSION, ...head }));
  if (text.length > MAX_HEAD_BYTES)
    throw new SvcError('too-large', `The head of a ${head.type} frame has ${text.length} bytes.`);
  if (body.length > MAX_PART_BYTES)
    throw new SvcError('too-large', `The body of a ${head.type} frame has ${body.length} bytes.`);
  const bytes = new Uint8Array(LENGTH_BYTES + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(body, LENGTH_BYTES + text.length);
  return bytes;
}
