/** Largest answer of a decision provider, bytes. */
export const MAX_ANSWER_BYTES = 16 * 1024;

/** The text of an answer; the connection of one that is larger is closed. Throws Error for it. */
export async function readBoundedAnswer(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`The answer has more than ${MAX_ANSWER_BYTES / 1024} KiB.`);
    }
    parts.push(next.value);
  }
  return Buffer.concat(parts).toString('utf8');
}
