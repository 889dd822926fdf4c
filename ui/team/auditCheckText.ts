import type { TeamAuditCheck } from '../../src/contract/schema/cloud/audit.ts';

export interface AuditCheckText {
  tone: 'good' | 'bad' | 'over';
  title: string;
  says: string;
}

/** The result of a check in words. */
export function describeAuditCheck({
  from,
  checked,
  head,
  fault,
  isComplete,
}: TeamAuditCheck): AuditCheckText {
  if (fault !== null)
    return {
      tone: 'bad',
      title: fault.reason === 'changed' ? 'Changed' : 'Missing',
      says: `Entry ${fault.n} ${fault.reason === 'changed' ? 'was changed after it was written' : 'is missing'}. Compare with a backup of the database.`,
    };
  if (checked === 0) return { tone: 'over', title: 'Empty', says: 'The log has no entries.' };
  const older = isComplete ? '' : ' Older ones were not checked.';
  return {
    tone: 'good',
    title: 'Unchanged',
    says: `Entries ${from} to ${head.n} are as they were written.${older}`,
  };
}
