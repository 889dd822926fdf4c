import { Compile } from 'typebox/compile';
import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { FRAME_HEADS, isFrameType, type ReceivedFrame } from './frames.ts';
import {
  CHANNEL_VERSION,
  LENGTH_BYTES,
  MAX_HEAD_BYTES,
  MAX_PART_BYTES,
  OLDEST_CHANNEL_VERSION,
} from './limits.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

const refuse = (detail: string): SvcError => new SvcError('malformed', detail);

const compileHeads = () =>
  new Map(Object.entries(FRAME_HEADS).map(([type, schema]) => [type, Compile(schema)]));
/** The schemas are compiled for the first frame: a program that loads them may never get one. */
const readValidators = makeOnFirstUse(compileHeads);

function parseHead(bytes: Uint8Array): Record<string, unknown> {
  let head: unknown;
  try {
    head = JSON.parse(decoder.decode(bytes));
  } catch {
    throw refuse('The head of a frame is not JSON.');
  }
  if (!isJsonObject(head)) throw refuse('The head of a frame is no object.');
  return head;
}

/**
 * Reads a frame. null = its type is unknown here and may be ignored. Throws SvcError `malformed` for what is no frame,
 * and for an unknown one that must be understood.
 */
export function decodeFrame(bytes: Uint8Array): ReceivedFrame | null {
  if (bytes.length < LENGTH_BYTES) throw refuse('A frame is shorter than its length.');
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0);
  // Before anything is read: the sender chooses the length.
  if (length > MAX_HEAD_BYTES) throw refuse('The head of a frame is too long.');
  if (bytes.length < LENGTH_BYTES + length) throw refuse('A frame ends within its head.');
  const body = bytes.subarray(LENGTH_BYTES + length);
  if (body.length > MAX_PART_BYTES) throw refuse('The body of a frame is too long.');
  const head = parseHead(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  const { v, type, must } = head;
  if (typeof v !== 'number') throw refuse('A frame has no version.');
  // A hello of any version is read: it is refused with the version to install.
  if (v < OLDEST_CHANNEL_VERSION && type !== 'hello')
    throw refuse('A frame is of a version that is no longer spoken.');
  if (!isFrameType(type) || v > CHANNEL_VERSION) {
    if (must === true) throw refuse('A frame that must be understood is unknown.');
    if (typeof type !== 'string') throw refuse('A frame has no type.');
    return null;
  }
  if (readValidators().get(type)?.Check(head) !== true)
    throw refuse(`The head of a ${type} frame is not valid.`);
  // Checked by the schema of its type.
  return { ...head, body } as ReceivedFrame;
}
