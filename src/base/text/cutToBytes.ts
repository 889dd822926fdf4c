/** Cuts at a character, not within one, and marks the cut. `most`: bytes without the mark. */
export function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, '')}…`;
}
