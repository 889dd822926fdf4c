import type { MeaningChange } from '../../schema/proposal.ts';
import type { ChangedText } from './changedText.ts';

/** What a change of one file means for jobs, in words; the most important first. */
export function meaningOf({ path, before, after }: ChangedText): MeaningChange[] {
  if (after === null) return [{ path, says: 'the file is removed' }];
  return before === null ? [{ path, says: 'the file is new' }] : [];
}
