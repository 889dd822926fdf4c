/** The text of bytes that are UTF-8, a byte-order mark included; null for all others. */
export function decodeUtf8OrNull(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export const isUtf8 = (bytes: Uint8Array): boolean => decodeUtf8OrNull(bytes) !== null;
