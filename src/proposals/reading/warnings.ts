import type { ProposalWarning } from '../../schema/proposal.ts';
import type { ChangedText } from './changedText.ts';

/**
 * What a person should know of one changed file before they approve it. `paths`: every path of the
 * overlay, for names that look like others. The id of a warning is the same for the same content.
 */
export function warningsOf(_file: ChangedText, _paths: readonly string[]): ProposalWarning[] {
  return [];
}
