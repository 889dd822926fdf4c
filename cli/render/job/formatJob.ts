import { explainDiskWait } from '../../../src/base/limits/findLowDisk.ts';
import { isJobUnreadable } from '../../../src/base/jobs/isJobUnreadable.ts';
import { removeQuotedOutput } from '../../../src/base/output/chooseLastLines.ts';
import { formatRatingLine, describeRatingNotes } from '../../../src/base/jobs/labelRating.ts';
import { SANDBOX_TEXT } from '../../../src/base/agents/sandboxProfiles.ts';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import { describeTokens } from '../../../src/base/spending/tokenText.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { Io } from '../../io.ts';
import { formatLastOutput } from './formatLastOutput.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { formatJobStatus, pickStatusColor } from './formatJobStatus.ts';
import { renderTable } from '../text/renderTable.ts';
import { unchangedText } from './unchangedText.ts';
import { formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';

/** What models have reported; a session that reports nothing is not one that used nothing. */
const describeJobTokens = ({ tokenUsage, unreported }: Job): string => {
  const sum = (key: 'inputTokens' | 'outputTokens') =>
    tokenUsage.reduce((total, { usage }) => total + usage[key], 0);
  return describeTokens({
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    unreported,
  });
};

/** How the newest rated phase was rated: one line, then the details. */
const listRatingLines = ({ id, decisionRecords }: Job): [string, string][] => {
  const newest = decisionRecords.findLast((record) => record.rating !== null);
  if (!newest?.rating) return [];
  const flag = newest.flag === null ? '' : '; flagged';
  return [
    ['rating', `${formatRatingLine(newest)} (phase ${newest.phase}${flag})`],
    ...describeRatingNotes(newest.rating).map((note): [string, string] => ['', note]),
    ...(decisionRecords.length > 1
      ? [['', `Earlier checks: svc decisions ${id}`] as [string, string]]
      : []),
  ];
};

/** What confines its newest session; null where none is wanted. */
const describeNewestSandbox = ({ sandboxes }: Job): string | null => {
  const newest = sandboxes?.at(-1);
  return newest ? `${newest.state}: ${newest.reason ?? SANDBOX_TEXT[newest.state]}` : null;
};

/** A job for people, as lines of name and value. */
export function formatJob(job: Job, io: Pick<Io, 'color' | 'columns' | 'now'>): string {
  const now = io.now();
  const isBroken = isJobUnreadable(job.broken);
  const paint = (name: string, value: string) =>
    name === 'status' ? pickStatusColor(job, io.color)(value) : value;
  const hasOutput = (job.lastOutput?.lines.length ?? 0) > 0;
  const dropRepeatedOutput = (text: string) => (hasOutput ? removeQuotedOutput(text) : text);
  const lines: [string, string | null][] = [
    ['job', job.id],
    [
      'status',
      isBroken
        ? formatJobStatus(job)
        : (job.ending?.text ?? job.subRunFailures?.text ?? job.status),
    ],
    ['broken', isBroken ? job.reason : null],
    ['phase', `${job.phase} (visit ${job.visit})`],
    ['queued', explainDiskWait(job)],
    [
      'waits',
      job.parked &&
        `${dropRepeatedOutput(job.parked.reason)}, since ${formatTimeWithAgo(job.parked.since, now)}`,
    ],
    [
      'approval',
      job.approval &&
        `phase ${job.approval.phase}; approve with: svc resume ${job.id} --event approve`,
    ],
    ['', unchangedText(job).trimEnd()],
    ['escalation', job.escalationMessage && dropRepeatedOutput(job.escalationMessage)],
    ['workflow', job.workflowPath],
    ['repository', job.repoSlug],
    ['description', job.description],
    ['interactive', job.interactive ? 'yes' : 'no'],
    ['created', formatTimeWithAgo(job.createdAt, now)],
    ['updated', formatTimeWithAgo(job.updatedAt, now)],
    ...listRatingLines(job),
    ['sandbox', describeNewestSandbox(job)],
    ['cost', job.cost ? formatCost(job.cost) : null],
    ['tokens', describeJobTokens(job)],
    ['trace', job.trace ? (job.trace.url ?? job.trace.id) : null],
  ];
  const head = lines.flatMap(([name, value]) =>
    value === null || value === ''
      ? []
      : [`${io.color.bold(name.padEnd(12))}${paint(name, toPrintableLine(value))}\n`],
  );
  const parts = [
    {
      title: 'PHASES',
      header: ['VISIT', 'PHASE', 'STARTED', 'APPROVED BY', 'OUTCOME'],
      rows: job.phases.map((visit) => [
        String(visit.visit),
        visit.phase,
        formatTimeWithAgo(visit.startedAt, now),
        visit.approvedPerson ?? visit.approvedBy ?? '',
        visit.outcome ?? 'running',
      ]),
    },
    {
      title: 'WORK ITEMS',
      header: ['ID', 'STATUS', 'LOOPS', 'TITLE'],
      rows: job.workItems.map((item) => [item.id, item.status, String(item.loopCount), item.title]),
    },
    {
      title: 'PULL REQUESTS',
      header: ['ID', 'STATE', 'TITLE'],
      rows: job.prMappings.map((pr) => [pr.prId, pr.state, pr.title]),
    },
    {
      title: 'ARTEFACTS',
      header: ['ID', 'KIND', 'TITLE'],
      rows: job.artefacts.map((artefact) => [
        artefact.id,
        artefact.kind,
        artefact.removedAt === undefined ? artefact.title : `${artefact.title} (content removed)`,
      ]),
    },
  ];
  const tables = parts.flatMap(({ title, header, rows }) =>
    rows.length === 0
      ? []
      : [
          `\n${io.color.bold(title)}\n${renderTable(
            header,
            rows.map((row) => row.map(toPrintableLine)),
            io,
          )}`,
        ],
  );
  const output = formatLastOutput(job.lastOutput ?? {}, io).map((line) => `  ${line}\n`);
  const last = output.length === 0 ? [] : [`\n${io.color.bold('LAST OUTPUT')}\n`, ...output];
  return [...head, ...last, ...tables].join('');
}
