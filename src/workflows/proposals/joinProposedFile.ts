import type { ProposalFile } from '../../contract/schema/workflow/proposal.ts';
import type { ProposedFile } from './proposalContent.ts';
import { formatUnifiedDiff } from './reading/formatUnifiedDiff.ts';
import { merge3 } from './reading/merge3.ts';

type JoinedFile = Pick<ProposalFile, 'merged' | 'conflicts'>;

const toWholeConflict = (
  base: string | null,
  proposedText: string | null,
  current: string | null,
) => ({
  line: 1,
  base: base ?? '',
  proposed: proposedText ?? '',
  current: current ?? '',
});

/**
 * The text to write if the layer now holds `current`: the proposed text if nothing has changed
 * since, else a merge of changes that do not touch each other. A file that one side removed or
 * created cannot be merged.
 */
export function joinProposedFile(
  { base, text }: Omit<ProposedFile, 'path'>,
  current: string | null,
): JoinedFile {
  if (current === base || current === text) return { merged: text, conflicts: [] };
  if (base === null || text === null || current === null)
    return { merged: null, conflicts: [toWholeConflict(base, text, current)] };
  const merge = merge3(base, text, current);
  return 'text' in merge
    ? { merged: merge.text, conflicts: [] }
    : { merged: null, conflicts: merge.conflicts };
}

export function toProposalFile(
  file: ProposedFile,
  { current, replaces }: Pick<ProposalFile, 'current' | 'replaces'>,
): ProposalFile {
  const join = joinProposedFile(file, current);
  return {
    path: file.path,
    change: file.text === null ? 'removed' : file.base === null ? 'added' : 'changed',
    base: file.base,
    proposed: file.text,
    current,
    replaces,
    ...join,
    diff: formatUnifiedDiff(
      file.path,
      current ?? replaces,
      join.conflicts.length > 0 ? file.text : join.merged,
    ),
  };
}
