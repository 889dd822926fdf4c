import type { DryRunHistory, DryRunReply } from '../../../src/contract/schema/policy/dryRun.ts';
import type { GuardrailList } from '../../../src/contract/schema/policy/guardrailView.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';
import { formatAgo } from '../text/formatTimeWithAgo.ts';

type Style = Pick<Io, 'color' | 'columns' | 'now'>;

/** Findings that are printed; the JSON has more. */
const SHOWN = 20;

const SOURCES = { 'built-in': 'svc', config: 'config', script: 'script' } as const;

export function formatGuardrails({ rules, ignored }: GuardrailList, io: Style): string {
  const rows = rules.map(({ id, source, enabled, do: act, when: moments, counts, last }) =>
    [
      id,
      SOURCES[source],
      enabled ? 'on' : 'off',
      act,
      ...[counts.pass, counts.deny + counts.park, counts.redact + counts.note].map(String),
      last === null ? '-' : formatAgo(last, io.now()),
      moments.join(', '),
    ].map(toPrintableLine),
  );
  const paints = rules.map(({ enabled }) =>
    enabled ? [] : Array.from({ length: 9 }, () => io.color.dim),
  );
  const brokenRules = rules.flatMap(({ id, problem }) =>
    problem === null
      ? []
      : [`${io.color.red('denies everything')}: ${toPrintableLine(`${id}: ${problem}`)}\n`],
  );
  const others = ignored.map((what) => `${io.color.red('no rule')}: ${toPrintableLine(what)}\n`);
  const header = ['RULE', 'OF', 'IS', 'DOES', 'PASSED', 'STOPPED', 'NOTED', 'LAST', 'WHEN'];
  return renderTable(header, rows, io, paints) + [...brokenRules, ...others].join('');
}

function formatDryRunHistory(history: DryRunHistory, io: Style): string {
  const { text, found, foundInAll, cutBy, notKnown } = history;
  const rows = found
    .slice(0, SHOWN)
    .map(({ jobId, at, moment, tool, result, message }) =>
      [
        jobId,
        formatAgo(at, io.now()),
        result,
        tool === '' ? moment : `${moment} ${tool}`,
        message,
      ].map(toPrintableLine),
    );
  const more = foundInAll - rows.length;
  return [
    `${io.color.bold(toPrintableLine(text))}\n`,
    cutBy === null ? '' : `Stopped early (${cutBy}): not all jobs were read.\n`,
    rows.length === 0 ? '' : `\n${renderTable(['JOB', 'AT', 'DOES', 'WHAT', 'SAYS'], rows, io)}`,
    more > 0 ? `and ${more} more, see --json\n` : '',
    `\nJournals do not show:\n${notKnown.map((one) => `  ${one}\n`).join('')}`,
  ].join('');
}

export function formatDryRun({ rule, asked, history }: DryRunReply, io: Style): string {
  const off = rule.enabled
    ? ''
    : `${toPrintableLine(rule.id)} is off; it was tested as if it were on.\n`;
  const answer =
    asked === null
      ? ''
      : asked.isAsked
        ? `${io.color.bold(asked.result)}${asked.message === '' ? '' : `  ${toPrintableLine(asked.message)}`}\n`
        : `${io.color.bold('pass')}  ${toPrintableLine(rule.id)} is not checked here: it is checked at ${rule.when.join(', ')}${rule.tools === null ? '' : ` about ${rule.tools.map(toPrintableLine).join(', ')}`}.\n`;
  return `${off}${answer}${history === null ? '' : formatDryRunHistory(history, io)}`;
}
