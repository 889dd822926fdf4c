/**
 * What an event and each of its lines count against the output limit beside their bytes: each is
 * stored as a row, however short it is.
 */
const LINE_COST_BYTES = 64;
const NEWLINE = 0x0a;

/** What a text counts against the output limit of a session, bytes. */
export function computeOutputCost(text: string): number {
  const bytes = Buffer.from(text);
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  // A line end after the last line starts no further one.
  if (bytes.at(-1) === NEWLINE) lines -= 1;
  return bytes.length + lines * LINE_COST_BYTES;
}
