import { describeFailures } from '../../src/base/jobs/describeFailures.ts';
import { describeNeeds } from '../../src/base/jobs/describeNeeds.ts';
import { formatCost } from '../../src/base/spending/formatCost.ts';
import { formatUtcMinute } from '../../src/base/time/toIsoTime.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import { splitReason } from '../jobs/plainText.ts';
import { escapeMarkdown, toMarkdownLink } from '../shell/markdown/writeMarkdown.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { describeStopCause } from './describeStops.ts';

type Stop = Pick<Report['stops'][number], 'jobId' | 'title' | 'why' | 'reason'>;
/** What of a report is copied. */
interface SharedReport extends Pick<Report, 'since' | 'until' | 'jobs' | 'needs' | 'failures'> {
  cost: Pick<Report['cost'], 'usd' | 'unpriced' | 'calls'>;
  approvals: readonly Pick<Report['approvals'][number], 'jobId' | 'title' | 'phase'>[];
  reviews: readonly Pick<Report['reviews'][number], 'jobId' | 'title'>[];
  stops: readonly Stop[];
  finished: readonly Pick<Report['finished'][number], 'jobId' | 'title' | 'outcome'>[];
}

interface ReportedLine {
  jobId: string;
  title: string;
  more: string;
}

/** The report for a stand-up. `page`: address of the dashboard, for the links. */
export function formatReportMarkdown(report: SharedReport, page: string): string {
  const { jobs, needs, cost } = report;
  const listLines = (title: string, lines: readonly ReportedLine[]): string[] =>
    lines.length === 0
      ? []
      : [
          `### ${title}`,
          lines
            .map(
              ({ jobId, title: text, more }) =>
                `- ${toMarkdownLink(text || jobId, toJobHash(jobId), page)}${more === '' ? '' : `: ${escapeMarkdown(more)}`}`,
            )
            .join('\n'),
        ];
  const needing = describeNeeds(needs);
  const failures = describeFailures(report.failures);
  return [
    `## Report, ${formatUtcMinute(report.since)} to ${formatUtcMinute(report.until)}`,
    needing === '' ? 'Nothing needs a person now.' : `Needs a person: ${needing}.`,
    [
      `${jobs.complete} complete, ${jobs.partial} partly complete, ${jobs.failed} failed${failures ? ` (${failures})` : ''}, ${jobs.cancelled} cancelled.`,
      `Now ${jobs.working} working, ${jobs.queued} queued, ${jobs.waiting} waiting.`,
      ...(cost.calls === 0 && cost.unpriced === 0 ? [] : [`Cost: ${formatCost(cost)}.`]),
    ].join(' '),
    ...listLines(
      'Approvals that wait',
      report.approvals.map((one) => ({ ...one, more: `phase ${one.phase}` })),
    ),
    ...listLines(
      'Pull requests that wait for a review',
      report.reviews.map((one) => ({ ...one, more: '' })),
    ),
    ...listLines(
      'Stopped or failed',
      report.stops.map((one) => ({
        ...one,
        more: `${describeStopCause(one)}. ${splitReason(one.reason).short}`,
      })),
    ),
    ...listLines(
      'Finished',
      report.finished.map((one) => ({ ...one, more: one.outcome })),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}
