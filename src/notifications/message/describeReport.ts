import { describeNeeds } from '../../base/jobs/describeNeeds.ts';
import type { Report } from '../../contract/schema/api/report.ts';

/** A report in a few sentences. */
export function describeReport({
  jobs,
  needs,
  cost,
}: Pick<Report, 'jobs' | 'needs' | 'cost'>): string {
  const { complete, partial, failed, cancelled, working, queued, waiting } = jobs;
  const needing = needs.me + needs.proposals;
  const spentText = cost.usd === null ? 'cost unknown' : `$${cost.usd.toFixed(2)} spent`;
  return [
    `${complete + partial} complete, ${failed} failed, ${cancelled} cancelled, ${spentText}.`,
    `Now ${working} working, ${queued} queued, ${waiting} waiting.`,
    needing === 0 ? 'Nothing needs you.' : `${needing} need you (${describeNeeds(needs)}).`,
  ].join(' ');
}
