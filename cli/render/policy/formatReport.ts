import { formatUtcMinute } from '../../../src/base/time/toIsoTime.ts';
import type { Ansis } from 'ansis';
import { describeFailures } from '../../../src/base/jobs/describeFailures.ts';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import { removeQuotedOutput } from '../../../src/base/output/chooseLastLines.ts';
import { describeNeeds } from '../../../src/base/jobs/describeNeeds.ts';
import type { Report } from '../../../src/contract/schema/api/report.ts';
import { formatBudgets } from './formatBudgets.ts';
import { ACCOUNT_HEADER, toAccountRow } from './toAccountRow.ts';
import { formatLastOutput } from '../job/formatLastOutput.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

type Style = { color: Ansis; columns: number };

const formatReportPart = (title: string, text: string, { color }: Style): string =>
  `\n${color.bold(title)}\n${text.endsWith('\n') ? text : `${text}\n`}`;

type ReportedJob =
  | Report['stops'][number]
  | Report['approvals'][number]
  | Report['reviews'][number];

/** A block for each job: what it is, more of it, the command for it, and where it is shown. */
const formatJobBlocks = <Of extends ReportedJob>(
  jobs: readonly Of[],
  word: (job: Of) => string,
  more: (job: Of) => readonly string[],
  baseUrl: string,
  listQuotes: (job: Of) => readonly string[] = () => [],
): string =>
  jobs
    .map((job) => {
      const links = [
        job.command,
        `${baseUrl}${job.page}`,
        ...job.pullRequests.filter(({ state }) => state === 'open').map(({ url }) => url),
      ];
      return [
        toPrintableLine(`${word(job)}  ${job.jobId}  ${job.title}`),
        ...more(job).map((line) => `  ${toPrintableLine(line)}`),
        ...listQuotes(job).map((line) => `    ${line}`),
        ...links.map((line) => `  ${toPrintableLine(line)}`),
      ].join('\n');
    })
    .join('\n');

const listStopLines = ({ since, until, reason, lastOutput }: Report['stops'][number]): string[] => [
  `since ${formatUtcMinute(since)}${until === null ? '' : `, continues by itself at ${formatUtcMinute(until)}`}`,
  lastOutput?.lines.length ? removeQuotedOutput(reason) : reason,
];

/** What happened, what was spent, what a person has to do. `baseUrl`: the runner's, for links. */
export function formatReport(report: Report, baseUrl: string, now: number, style: Style): string {
  const {
    since,
    until,
    jobs,
    cost,
    costs,
    costsOf,
    budgets,
    stops,
    approvals,
    finished,
    pools: accounts,
  } = report;
  const { failures, needs, reviews } = report;
  const failureText = describeFailures(failures);
  const needing = describeNeeds(needs);
  const { complete, partial, failed, cancelled, working, queued, waiting } = jobs;
  const costRows = costs.map(({ jobId, title, cost: one }) =>
    [jobId ?? 'unknown', formatCost(one), title ?? ''].map(toPrintableLine),
  );
  const more = costsOf > costs.length ? `${costs.length} of ${costsOf} jobs\n` : '';
  return [
    `From ${formatUtcMinute(since)} to ${formatUtcMinute(until)}.\n`,
    `Ended: ${complete} complete, ${partial} in part, ${failed} failed${failureText === '' ? '' : ` (${failureText})`}, ${cancelled} cancelled. Now: ${working} working, ${queued} queued, ${waiting} waiting.\n`,
    `Needs you: ${needing === '' ? 'nothing' : needing}.\n`,
    `Cost: ${cost.calls === 0 && cost.unpriced === 0 ? 'no model was used' : formatCost(cost)}.\n`,
    formatReportPart(
      'Stops',
      stops.length === 0
        ? 'None.'
        : formatJobBlocks(
            stops,
            ({ why }) => why,
            listStopLines,
            baseUrl,
            ({ lastOutput }) => formatLastOutput(lastOutput ?? {}, style),
          ),
      style,
    ),
    formatReportPart(
      'Approvals that wait',
      approvals.length === 0
        ? 'None.'
        : formatJobBlocks(
            approvals,
            ({ phase }) => phase,
            (one) => [`since ${formatUtcMinute(one.since)}`],
            baseUrl,
          ),
      style,
    ),
    ...(reviews.length === 0
      ? []
      : [
          formatReportPart(
            'Pull requests that wait for a review',
            formatJobBlocks(
              reviews,
              () => 'review',
              ({ since: from, reason }) => [`since ${formatUtcMinute(from)}`, reason],
              baseUrl,
            ),
            style,
          ),
        ]),
    ...(finished.length === 0
      ? []
      : [
          formatReportPart(
            'Finished',
            renderTable(
              ['JOB', 'OUTCOME', 'SINCE', 'REQUEST'],
              finished.map((one) =>
                [one.jobId, one.outcome, formatUtcMinute(one.since), one.title].map(
                  toPrintableLine,
                ),
              ),
              style,
            ),
            style,
          ),
        ]),
    formatReportPart('Budgets', formatBudgets({ budgets }, style), style),
    ...(costRows.length === 0
      ? []
      : [
          formatReportPart(
            'Cost by job',
            `${renderTable(['JOB', 'COST', 'REQUEST'], costRows, style)}${more}`,
            style,
          ),
        ]),
    ...(accounts.length === 0
      ? []
      : [
          formatReportPart(
            'Model accounts',
            renderTable(
              ACCOUNT_HEADER,
              accounts.map((account) => toAccountRow(account, now).map(toPrintableLine)),
              style,
            ),
            style,
          ),
        ]),
  ].join('');
}
