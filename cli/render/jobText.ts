import { diskReason } from '../../src/domain/freeDisk.ts';
import { isJobUnreadable } from '../../src/domain/isJobUnreadable.ts';
import { withoutQuotedOutput } from '../../src/domain/lastLines.ts';
import { ratingLine, ratingNotes } from '../../src/domain/ratingWords.ts';
import { SANDBOX_TEXT } from '../../src/domain/sandboxProfiles.ts';
import { moneyText } from '../../src/domain/moneyText.ts';
import { describeTokens } from '../../src/domain/tokenText.ts';
import type { Job } from '../../src/schema/job.ts';
import type { Io } from '../io.ts';
import { lastOutputLines } from './lastOutputText.ts';
import { printableLine } from './printable.ts';
import { statusText } from './statusText.ts';
import { statusColor } from './statusColor.ts';
import { table } from './table.ts';
import { unchangedText } from './unchangedText.ts';
import { when } from './when.ts';

/** What models have reported; a session that reports nothing is not one that used nothing. */
const tokens = ({ tokenUsage, unreported }: Job): string => {
  const sum = (key: 'inputTokens' | 'outputTokens') =>
    tokenUsage.reduce((total, { usage }) => total + usage[key], 0);
  return describeTokens({
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    unreported,
  });
};

/** How the newest rated phase was rated: in a line, then what it says beside that. */
const rating = ({ id, decisionRecords }: Job): [string, string][] => {
  const newest = decisionRecords.findLast((record) => record.rating !== null);
  if (!newest?.rating) return [];
  const flag = newest.flag === null ? '' : '; flagged';
  return [
    ['rating', `${ratingLine(newest)} (phase ${newest.phase}${flag})`],
    ...ratingNotes(newest.rating).map((note): [string, string] => ['', note]),
    ...(decisionRecords.length > 1
      ? [['', `Earlier checks: svc decisions ${id}`] as [string, string]]
      : []),
  ];
};

/** What confines its newest session; null where none is wanted. */
const sandbox = ({ sandboxes }: Job): string | null => {
  const newest = sandboxes?.at(-1);
  return newest ? `${newest.state}: ${newest.reason ?? SANDBOX_TEXT[newest.state]}` : null;
};

/** What a person wants to know of a job, as lines of name and value. */
export function jobText(job: Job, io: Pick<Io, 'color' | 'columns' | 'now'>): string {
  const now = io.now();
  const isBroken = isJobUnreadable(job.broken);
  const painted = (name: string, value: string) =>
    name === 'status' ? statusColor(job, io.color)(value) : value;
  const hasOutput = (job.lastOutput?.lines.length ?? 0) > 0;
  const said = (text: string) => (hasOutput ? withoutQuotedOutput(text) : text);
  const lines: [string, string | null][] = [
    ['job', job.id],
    [
      'status',
      isBroken ? statusText(job) : (job.ending?.text ?? job.subRunFailures?.text ?? job.status),
    ],
    ['broken', isBroken ? job.reason : null],
    ['phase', `${job.phase} (visit ${job.visit})`],
    ['queued', diskReason(job)],
    ['waits', job.parked && `${said(job.parked.reason)}, since ${when(job.parked.since, now)}`],
    [
      'approval',
      job.approval &&
        `phase ${job.approval.phase}; approve with: svc resume ${job.id} --event approve`,
    ],
    ['', unchangedText(job).trimEnd()],
    ['escalation', job.escalationMessage && said(job.escalationMessage)],
    ['workflow', job.workflowPath],
    ['repository', job.repoSlug],
    ['description', job.description],
    ['interactive', job.interactive ? 'yes' : 'no'],
    ['created', when(job.createdAt, now)],
    ['updated', when(job.updatedAt, now)],
    ...rating(job),
    ['sandbox', sandbox(job)],
    ['cost', job.cost ? moneyText(job.cost) : null],
    ['tokens', tokens(job)],
  ];
  const head = lines.flatMap(([name, value]) =>
    value === null || value === ''
      ? []
      : [`${io.color.bold(name.padEnd(12))}${painted(name, printableLine(value))}\n`],
  );
  const parts = [
    {
      title: 'PHASES',
      header: ['VISIT', 'PHASE', 'STARTED', 'APPROVED BY', 'OUTCOME'],
      rows: job.phases.map((visit) => [
        String(visit.visit),
        visit.phase,
        when(visit.startedAt, now),
        visit.approvedBy ?? '',
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
          `\n${io.color.bold(title)}\n${table(
            header,
            rows.map((row) => row.map(printableLine)),
            io,
          )}`,
        ],
  );
  const output = lastOutputLines(job.lastOutput ?? {}, io).map((line) => `  ${line}\n`);
  const last = output.length === 0 ? [] : [`\n${io.color.bold('LAST OUTPUT')}\n`, ...output];
  return [...head, ...last, ...tables].join('');
}
