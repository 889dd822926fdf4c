import type { Ansis } from 'ansis';
import { describePhaseOutcome } from '../../../src/base/jobs/describePhaseOutcome.ts';
import { formatRatingLine, describeRatingNotes } from '../../../src/base/jobs/labelRating.ts';
import type {
  DecisionEntry,
  DecisionReplay,
} from '../../../src/contract/schema/policy/decisionEntry.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';
import { formatAgo, formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';

type Style = { color: Ansis; columns: number; now(): number };

const formatDecisionAnswer = (entry: DecisionEntry): string =>
  entry.rating === null && entry.skipped === null ? 'answered' : formatRatingLine(entry);

/** What follows from an answer, by where it was asked; in Observe it would have followed. */
const FOLLOWS: Readonly<Record<DecisionEntry['site'], string>> = {
  overseer: 'flagged',
  'wake-gate': 'held',
  'input-screen': 'marked',
  lane: 'other lane',
  'review-lens': 'note',
};

const describeFlag = ({ flag, paused, site }: DecisionEntry): string =>
  flag === null ? '' : paused ? 'paused' : FOLLOWS[site];

export function formatDecisionTable(entries: readonly DecisionEntry[], style: Style): string {
  const now = style.now();
  return renderTable(
    ['JOB', 'KEY', 'WHEN', 'PHASE', 'FLAG', 'TURNED OUT', 'RATING'],
    entries.map((entry) =>
      [
        entry.jobId,
        entry.key,
        formatAgo(entry.at, now),
        entry.phase,
        describeFlag(entry),
        entry.outcome === null ? '' : describePhaseOutcome(entry.outcome),
        formatDecisionAnswer(entry),
      ].map(toPrintableLine),
    ),
    style,
  );
}

const formatNamedLines = (
  pairs: readonly (readonly [string, string | null])[],
  { color }: Style,
): string =>
  pairs
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `${color.bold(name.padEnd(12))}${toPrintableLine(text ?? '')}\n`)
    .join('');

export function formatDecisionEntry(entry: DecisionEntry, style: Style): string {
  const { label, rating } = entry;
  const head = formatNamedLines(
    [
      ['job', entry.jobId],
      ['key', entry.key],
      ['phase', `${entry.phase} (visit ${entry.visit})`],
      ['when', formatTimeWithAgo(entry.at, style.now())],
      ['rating', formatDecisionAnswer(entry)],
      ['flag', entry.flag],
      ['paused', entry.flag === null ? null : entry.paused ? 'yes' : 'no'],
      ['turned out', describePhaseOutcome(entry.outcome)],
      ['label', label && `${label.verdict}${label.note === null ? '' : `: ${label.note}`}`],
      ['asked', `${entry.provider}, ${entry.model}`],
      ['took', entry.ms === null ? null : `${entry.ms} ms`],
      ['shown', entry.digest && `sha256 ${entry.digest}`],
    ],
    style,
  );
  const notes = rating === null ? [] : describeRatingNotes(rating);
  return `${head}${notes.map((note) => `${toPrintableLine(note)}\n`).join('')}`;
}

export function formatReplay(replay: DecisionReplay, style: Style): string {
  const { same, recorded, rebuilt, why, asked, earlier, digest } = replay;
  const section = (title: string, texts: readonly string[]) =>
    texts.length === 0
      ? ''
      : `\n${style.color.bold(title)}\n${texts.map((text) => `  ${toPrintableLine(text)}\n`).join('')}`;
  return [
    same
      ? 'The digest is the same, byte for byte.\n'
      : `The digest differs. ${toPrintableLine(why ?? '')}\n`,
    formatNamedLines(
      [
        ['recorded', recorded],
        ['made now', rebuilt],
        ['then', earlier && formatRatingLine({ rating: earlier, skipped: null })],
        [
          'now',
          asked && `${formatRatingLine(asked)} (${asked.provider}, ${asked.model}, ${asked.ms} ms)`,
        ],
      ],
      style,
    ),
    section('Facts', digest.facts),
    section('Calls of tools', digest.tools),
    section('Failures', digest.failures),
    section('People', digest.people),
    section('Claims of the agent', digest.claims),
    section('Earlier flags', digest.history),
  ].join('');
}
