import type { Job } from '../../../src/contract/schema/job/job.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

type Done = Pick<Job, 'ending' | 'reason' | 'approval'>;

const isEmpty = ({ covers: { plan, workItems, subRuns } }: NonNullable<Job['approval']>): boolean =>
  plan === null && workItems.length === 0 && subRuns.length === 0;

/**
 * That a complete job changed nothing, or that a phase that waits for approval has neither a plan nor
 * work items: a model that only talks leaves no other sign. Empty for any other job.
 */
export function unchangedText({ ending, reason, approval }: Done): string {
  if (ending?.unchanged)
    return `${toPrintableLine(`No changes: ${reason ?? 'it opened no pull request'}.`)}\n`;
  if (approval && isEmpty(approval))
    return 'There is nothing to approve: the phase wrote no plan and set no work items.\n';
  return '';
}
