import { SvcError } from '../../base/errors/errors.ts';
import { BLOB_PART_BYTES, MAX_BLOB_BYTES } from '../../contract/schema/cloud/home.ts';

/** Which bytes of an artefact a request brings. */
export interface BlobRange {
  /** Number of the part, from 0. */
  part: number;
  /** Bytes of this part, and of the whole. */
  bytes: number;
  total: number;
}

const CONTENT_RANGE = /^bytes (\d{1,10})-(\d{1,10})\/(\d{1,10})$/;

/**
 * Reads the header Content-Range of an upload; null = the request brings the whole. Parts have 1 MiB, but for the last.
 * Throws SvcError `bad-argument`, and `too-large` above 1 GiB.
 */
export function parseBlobRange(header: string): BlobRange | null {
  if (header === '') return null;
  const [from, to, total] = (CONTENT_RANGE.exec(header) ?? []).slice(1).map(Number);
  if (from === undefined || to === undefined || total === undefined)
    throw new SvcError(
      'bad-argument',
      'The header Content-Range must be like "bytes 0-1048575/3000000".',
    );
  if (total > MAX_BLOB_BYTES)
    throw new SvcError('too-large', `An artefact may have at most ${MAX_BLOB_BYTES} bytes.`);
  if (
    from % BLOB_PART_BYTES !== 0 ||
    to !== Math.min(from + BLOB_PART_BYTES, total) - 1 ||
    to < from
  )
    throw new SvcError(
      'bad-argument',
      `A part begins at a multiple of ${BLOB_PART_BYTES}, and has as many bytes, or those up to the end.`,
    );
  return { part: from / BLOB_PART_BYTES, bytes: to - from + 1, total };
}
