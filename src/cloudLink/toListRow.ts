import { shorten } from '../base/text/clip.ts';
import type { JobSummary } from '../contract/schema/job/job.ts';

/** Most characters of a job's request in the list of a team; the runner has all of it. */
const MAX_DESCRIPTION_CHARS = 2_000;
/** Most pull requests, and most unreadable rows, that a row of the list names. */
const MOST_NAMED = 20;
/** Longest row, bytes: several fit into one frame. */
const MAX_ROW_BYTES = 24 * 1024;

const encoder = new TextEncoder();

/** A job as it is sent to the list of the team, as JSON. */
export const toListRow = (summary: JobSummary): Uint8Array => cutListRow(summary).bytes;

/** The summary without what changes by the second, at most 24 KiB; and its JSON. */
export function cutListRow({ lastLine: _, ...summary }: JobSummary): {
  row: JobSummary;
  bytes: Uint8Array;
} {
  const { ending, broken } = summary;
  const row: JobSummary = {
    ...summary,
    description: shorten(summary.description, MAX_DESCRIPTION_CHARS),
    ...(ending && { ending: { ...ending, openPrs: ending.openPrs.slice(0, MOST_NAMED) } }),
    ...(broken && { broken: broken.slice(0, MOST_NAMED) }),
  };
  const bytes = encoder.encode(JSON.stringify(row));
  if (bytes.length <= MAX_ROW_BYTES) return { row, bytes };
  // What it waits for can be long; its reason says the same.
  const { broken: _broken, ending: _ending, ...most } = { ...row, parked: null };
  const least: JobSummary = { ...most, description: shorten(most.description, 200) };
  return { row: least, bytes: encoder.encode(JSON.stringify(least)) };
}

const OPEN = encoder.encode('[');
const COMMA = encoder.encode(',');
const CLOSE = encoder.encode(']');

/** Rows as one JSON array. */
export function joinListRows(rows: readonly Uint8Array[]): Uint8Array {
  const parts = rows.flatMap((row, index) => (index === 0 ? [row] : [COMMA, row]));
  const all = [OPEN, ...parts, CLOSE];
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
