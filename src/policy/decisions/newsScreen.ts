import type { Send } from '../../kernel/contract.ts';
import type { RowChange, Submission } from '../../contract/records/changes.ts';

/** News of jobs as they are to be reported, and what belongs into the same commit. */
export interface ScreenedNews extends Pick<Submission, 'frames'> {
  sends: Send[];
  rows: RowChange[];
}

/**
 * What the decision layer makes of news before they are reported: a comment may be held, or marked.
 * Nothing is left out, whatever the provider does; never rejects.
 */
export type NewsScreen = (sends: readonly Send[]) => Promise<ScreenedNews>;
