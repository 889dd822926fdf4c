import { decodeUtf8OrNull } from '../../base/text/decodeUtf8OrNull.ts';
import { open } from 'node:fs/promises';
import type { SecretStream } from '../../base/secrets/secretStream.ts';

/** Most bytes of an artefact in one answer of get_artifacts: 32 KiB. */
export const MAX_PAGE_BYTES = 32_768;
const PIECE_BYTES = 64 * 1024;

/** Part of a text; `nextOffset` null = it ends here. */
export interface ArtefactPage {
  text: string;
  nextOffset: number | null;
}

/** Whether a byte continues a UTF-8 character. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/** Where the last character that fits completely into `most` bytes ends. */
function findCharacterEnd(bytes: Buffer, most: number): number {
  let end = Math.min(most, bytes.length);
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return end;
}

const decodeTextOrNull = (bytes: Buffer): string | null =>
  bytes.includes(0) ? null : decodeUtf8OrNull(bytes);

/** The bytes of the file without secrets from `offset` on, a few more than `most`. */
async function readScreenedBytes(
  path: string,
  offset: number,
  most: number,
  secrets: SecretStream,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let skip = offset;
  let length = 0;
  const keep = (piece: Buffer): void => {
    const rest = piece.subarray(skip);
    skip = Math.max(0, skip - piece.length);
    if (rest.length > 0) chunks.push(rest);
    length += rest.length;
  };
  await using file = await open(path);
  while (length <= most) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES);
    keep(bytesRead === 0 ? secrets.end() : secrets.push(buffer.subarray(0, bytesRead)));
    if (bytesRead === 0) break;
  }
  return Buffer.concat(chunks);
}

/**
 * One page of a stored text, at most {@link MAX_PAGE_BYTES} and without cut characters; null if it
 * is not text. Secrets are searched for from the first byte on, so that no offset cuts one in two;
 * offsets count the bytes after their removal.
 */
export async function readArtefactPage(
  path: string,
  offset: number,
  secrets: SecretStream,
): Promise<ArtefactPage | null> {
  const bytes = await readScreenedBytes(path, offset, MAX_PAGE_BYTES, secrets);
  let start = 0;
  if (offset > 0) while (isContinuation(bytes[start])) start += 1;
  const end = start + findCharacterEnd(bytes.subarray(start), MAX_PAGE_BYTES);
  const text = decodeTextOrNull(bytes.subarray(start, end));
  return text === null ? null : { text, nextOffset: end < bytes.length ? offset + end : null };
}
