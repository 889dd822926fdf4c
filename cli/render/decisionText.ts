import type { Ansis } from 'ansis';
import { outcomeWords } from '../../src/domain/outcomeWords.ts';
import { ratingLine, ratingNotes } from '../../src/domain/ratingWords.ts';
import type { DecisionEntry, DecisionReplay } from '../../src/schema/decisionEntry.ts';
import { printableLine } from './printable.ts';
import { table } from './table.ts';
import { ago, when } from './when.ts';

type Style = { color: Ansis; columns: number; now(): number };

const answer = (entry: DecisionEntry): string =>
  entry.rating === null && entry.skipped === null ? 'answered' : ratingLine(entry);

/** What follows from an answer, by where it was asked; in Observe it would have followed. */
const FOLLOWS: Readonly<Record<DecisionEntry['site'], string>> = {
  overseer: 'flagged',
  'wake-gate': 'held',
  'input-screen': 'marked',
  lane: 'other lane',
  'review-lens': 'note',
};

const flagged = ({ flag, paused, site }: DecisionEntry): string =>
  flag === null ? '' : paused ? 'paused' : FOLLOWS[site];

/** A table of them. */
export function decisionTable(entries: readonly DecisionEntry[], style: Style): string {
  const now = style.now();
  return table(
    ['JOB', 'KEY', 'WHEN', 'PHASE', 'FLAG', 'TURNED OUT', 'RATING'],
    entries.map((entry) =>
      [
        entry.jobId,
        entry.key,
        ago(entry.at, now),
        entry.phase,
        flagged(entry),
        entry.outcome === null ? '' : outcomeWords(entry.outcome),
        answer(entry),
      ].map(printableLine),
    ),
    style,
  );
}

const lines = (pairs: readonly (readonly [string, string | null])[], { color }: Style): string =>
  pairs
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `${color.bold(name.padEnd(12))}${printableLine(text ?? '')}\n`)
    .join('');

/** One of them, with all that people may want to know. */
export function decisionText(entry: DecisionEntry, style: Style): string {
  const { label, rating } = entry;
  const head = lines(
    [
      ['job', entry.jobId],
      ['key', entry.key],
      ['phase', `${entry.phase} (visit ${entry.visit})`],
      ['when', when(entry.at, style.now())],
      ['rating', answer(entry)],
      ['flag', entry.flag],
      ['paused', entry.flag === null ? null : entry.paused ? 'yes' : 'no'],
      ['turned out', outcomeWords(entry.outcome)],
      ['label', label && `${label.verdict}${label.note === null ? '' : `: ${label.note}`}`],
      ['asked', `${entry.provider}, ${entry.model}`],
      ['took', entry.ms === null ? null : `${entry.ms} ms`],
      ['shown', entry.digest && `sha256 ${entry.digest}`],
    ],
    style,
  );
  const notes = rating === null ? [] : ratingNotes(rating);
  return `${head}${notes.map((note) => `${printableLine(note)}\n`).join('')}`;
}

/** What came of a replay. */
export function replayText(replay: DecisionReplay, style: Style): string {
  const { same, recorded, rebuilt, why, asked, earlier, digest } = replay;
  const section = (title: string, texts: readonly string[]) =>
    texts.length === 0
      ? ''
      : `\n${style.color.bold(title)}\n${texts.map((text) => `  ${printableLine(text)}\n`).join('')}`;
  return [
    same
      ? 'The digest is the same, byte for byte.\n'
      : `The digest is another one. ${printableLine(why ?? '')}\n`,
    lines(
      [
        ['recorded', recorded],
        ['made now', rebuilt],
        ['then', earlier && ratingLine({ rating: earlier, skipped: null })],
        [
          'now',
          asked && `${ratingLine(asked)} (${asked.provider}, ${asked.model}, ${asked.ms} ms)`,
        ],
      ],
      style,
    ),
    section('Facts', digest.facts),
    section('Calls of tools', digest.tools),
    section('Failures', digest.failures),
    section('People', digest.people),
    section('What the agent says of itself', digest.claims),
    section('Earlier flags', digest.history),
  ].join('');
}
