import type { Ansis } from 'ansis';
import { failuresText } from '../../src/domain/failuresText.ts';
import { moneyText } from '../../src/domain/moneyText.ts';
import { withoutQuotedOutput } from '../../src/domain/lastLines.ts';
import { needsText } from '../../src/domain/needsText.ts';
import type { Report } from '../../src/schema/report.ts';
import { budgetText } from './budgetText.ts';
import { POOL_HEADER, poolRow } from './poolText.ts';
import { lastOutputLines } from './lastOutputText.ts';
import { printableLine } from './printable.ts';
import { table } from './table.ts';

type Style = { color: Ansis; columns: number };

const minute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

const part = (title: string, text: string, { color }: Style): string =>
  `\n${color.bold(title)}\n${text.endsWith('\n') ? text : `${text}\n`}`;

type OfJob = Report['stops'][number] | Report['approvals'][number] | Report['reviews'][number];

/** A block for each job: what it is, more of it, the command for it, and where it is shown. */
const blocks = <Of extends OfJob>(
  jobs: readonly Of[],
  word: (job: Of) => string,
  more: (job: Of) => readonly string[],
  baseUrl: string,
  /** Printable lines behind that. */
  quoted: (job: Of) => readonly string[] = () => [],
): string =>
  jobs
    .map((job) => {
      const links = [
        job.command,
        `${baseUrl}${job.page}`,
        ...job.pullRequests.filter(({ state }) => state === 'open').map(({ url }) => url),
      ];
      return [
        printableLine(`${word(job)}  ${job.jobId}  ${job.title}`),
        ...more(job).map((line) => `  ${printableLine(line)}`),
        ...quoted(job).map((line) => `    ${line}`),
        ...links.map((line) => `  ${printableLine(line)}`),
      ].join('\n');
    })
    .join('\n');

const stopLines = ({ since, until, reason, lastOutput }: Report['stops'][number]): string[] => [
  `since ${minute(since)}${until === null ? '' : `, continues by itself at ${minute(until)}`}`,
  lastOutput?.lines.length ? withoutQuotedOutput(reason) : reason,
];

/**
 * What happened, what was spent, and what a person has to do. `baseUrl` is the address of the
 * runner, for links.
 */
export function reportText(report: Report, baseUrl: string, now: number, style: Style): string {
  const { since, until, jobs, cost, costs, costsOf, budgets, stops, approvals, finished, pools } =
    report;
  const { failures, needs, reviews } = report;
  const failedOf = failuresText(failures);
  const needing = needsText(needs);
  const { complete, partial, failed, cancelled, working, queued, waiting } = jobs;
  const costRows = costs.map(({ jobId, title, cost: one }) =>
    [jobId ?? 'unknown', moneyText(one), title ?? ''].map(printableLine),
  );
  const more = costsOf > costs.length ? `${costs.length} of ${costsOf} jobs\n` : '';
  return [
    `From ${minute(since)} to ${minute(until)}.\n`,
    `Ended: ${complete} complete, ${partial} in part, ${failed} failed${failedOf === '' ? '' : ` (${failedOf})`}, ${cancelled} cancelled. Now: ${working} working, ${queued} queued, ${waiting} waiting.\n`,
    `Needs you: ${needing === '' ? 'nothing' : needing}.\n`,
    `Cost: ${cost.calls === 0 && cost.unpriced === 0 ? 'no model was used' : moneyText(cost)}.\n`,
    part(
      'Stops',
      stops.length === 0
        ? 'None.'
        : blocks(
            stops,
            ({ why }) => why,
            stopLines,
            baseUrl,
            ({ lastOutput }) => lastOutputLines(lastOutput ?? {}, style),
          ),
      style,
    ),
    part(
      'Approvals that wait',
      approvals.length === 0
        ? 'None.'
        : blocks(
            approvals,
            ({ phase }) => phase,
            (one) => [`since ${minute(one.since)}`],
            baseUrl,
          ),
      style,
    ),
    ...(reviews.length === 0
      ? []
      : [
          part(
            'Pull requests that wait for a review',
            blocks(
              reviews,
              () => 'review',
              ({ since: from, reason }) => [`since ${minute(from)}`, reason],
              baseUrl,
            ),
            style,
          ),
        ]),
    ...(finished.length === 0
      ? []
      : [
          part(
            'Finished',
            table(
              ['JOB', 'OUTCOME', 'SINCE', 'REQUEST'],
              finished.map((one) =>
                [one.jobId, one.outcome, minute(one.since), one.title].map(printableLine),
              ),
              style,
            ),
            style,
          ),
        ]),
    part('Budgets', budgetText({ budgets }, style), style),
    ...(costRows.length === 0
      ? []
      : [
          part(
            'Cost by job',
            `${table(['JOB', 'COST', 'REQUEST'], costRows, style)}${more}`,
            style,
          ),
        ]),
    ...(pools.length === 0
      ? []
      : [
          part(
            'Model accounts',
            table(
              POOL_HEADER,
              pools.map((pool) => poolRow(pool, now).map(printableLine)),
              style,
            ),
            style,
          ),
        ]),
  ].join('');
}
