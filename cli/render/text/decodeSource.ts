import { isUtf8 } from '../../../src/base/text/decodeUtf8OrNull.ts';

/** The text of a file that was linted; null = it is not known, or not UTF-8. */
export function decodeSource(source: string | Uint8Array | undefined): string | null {
  if (source === undefined || typeof source === 'string') return source ?? null;
  return isUtf8(source) ? new TextDecoder().decode(source) : null;
}
