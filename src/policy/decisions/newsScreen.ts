import type { Send } from '../../kernel/contract.ts';
import type { RowChange, Submission } from '../../contract/records/changes.ts';

/** News of jobs to report, and the rows for the same commit. */
export interface ScreenedNews extends Pick<Submission, 'frames'> {
  sends: Send[];
  rows: RowChange[];
}

/**
 * Screens news before they are reported: a comment may be held or marked. Nothing is left out,
 * whatever the provider does; never rejects.
 */
export type NewsScreen = (sends: readonly Send[]) => Promise<ScreenedNews>;
