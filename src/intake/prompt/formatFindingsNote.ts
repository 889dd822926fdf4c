import type { InvestigationRow } from '../investigationRows.ts';
import { formatEditNote } from './contextNote.ts';

const quoteCurrentFindings = (findings: string): string =>
  `[The findings as they are now:]\n<findings-now>\n${findings.replace(/<(?=\/?findings)/gi, '&lt;')}\n</findings-now>`;

/**
 * The findings, if the model cannot know them from the conversation: a person edited them, or their
 * turns were folded. Otherwise empty.
 */
export function formatFindingsNote({
  findings,
  findings_by: by,
  folded_to: foldedTo,
}: Pick<InvestigationRow, 'findings' | 'findings_by' | 'folded_to'>): string {
  if (findings === null) return '';
  if (by === 'person') return formatEditNote(findings);
  return foldedTo > 0 ? quoteCurrentFindings(findings) : '';
}
