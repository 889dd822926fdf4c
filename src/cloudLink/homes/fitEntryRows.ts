import { MAX_ENTRY_ROWS_BYTES } from '../../contract/channel/limits.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';
import { cutListRow } from '../toListRow.ts';

/** The rows of the list that travel with an entry; null = they do not fit, and all of them come later. */
export function fitEntryRows(summaries: readonly JobSummary[]): JobSummary[] | null {
  const rows: JobSummary[] = [];
  let bytes = 0;
  for (const summary of summaries) {
    const cutRow = cutListRow(summary);
    bytes += cutRow.bytes.length + 1;
    if (bytes > MAX_ENTRY_ROWS_BYTES) return null;
    rows.push(cutRow.row);
  }
  return rows;
}
