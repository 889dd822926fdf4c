import type { ChartArrow } from '../../../src/contract/schema/workflow/machine.ts';
import type { TextRow } from './graph.ts';
import { toPlainEvent, findPlainWay } from './plainWords.ts';

export interface Wording {
  /** Every effect, also changes of the context and rows; else those on the outside world alone. */
  allEffects: boolean;
  /**
   * In plain words, as users say it; default: technical names. States have plain names only in the
   * charts of `actor`s: those of a workflow are its author's.
   */
  plain?: 'actor' | 'workflow' | null;
}

/** Longest text of event and guard on one line, characters. */
const ONE_LINE_CHARS = 30;
/** Longest line of effects, characters; longer text wraps. */
const EFFECT_CHARS = 34;

function joinIntoLines(names: readonly string[], most: number, comma = ', '): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length + comma.length <= most)
      lines[lines.length - 1] = `${last}${comma}${name}`;
    else lines.push(name);
  }
  return lines;
}

/** What an arrow, an entry or an exit does, after `lead`. */
export function toEffectRows(
  lead: string,
  effects: ChartArrow['effects'],
  { allEffects }: Wording,
): TextRow[] {
  const names = effects
    .filter(({ kind }) => allEffects || kind === 'outside')
    .map(({ name }) => name);
  return joinIntoLines([...new Set(names)], EFFECT_CHARS).map((line, index) => ({
    role: 'effect' as const,
    text: index === 0 ? `${lead} ${line}` : line,
  }));
}

/** What an arrow says: `event [guard]`, then what it does. */
export function toArrowRows(arrow: ChartArrow, wording: Wording): TextRow[] {
  return wording.plain ? toPlainArrowRows(arrow, wording) : toTechnicalArrowRows(arrow, wording);
}

/** Longest condition that is written onto an arrow, characters; a longer one is shown beside. */
const CONDITION_CHARS = 64;

/** What an arrow says to users: what happens, and on which condition. */
function toPlainArrowRows({ event, guard, effects }: ChartArrow, wording: Wording): TextRow[] {
  const both = findPlainWay(event, guard?.name);
  if (both !== undefined) return [{ role: 'says', text: both }];
  const says: TextRow[] = event === '' ? [] : [{ role: 'says', text: toPlainEvent(event) }];
  const condition =
    guard === null
      ? event === ''
        ? 'otherwise'
        : ''
      : guard.says.length <= CONDITION_CHARS && guard.says !== guard.name
        ? `if ${guard.says}`
        : 'on a condition';
  const rows = condition === '' ? [] : joinIntoLines(condition.split(' '), EFFECT_CHARS, ' ');
  return [
    ...says,
    ...rows.map((text): TextRow => ({ role: 'note', text })),
    ...(wording.allEffects ? toEffectRows('/', effects, wording) : []),
  ];
}

function toTechnicalArrowRows({ event, guard, effects }: ChartArrow, wording: Wording): TextRow[] {
  const eventRow: TextRow[] = event === '' ? [] : [{ role: 'event', text: event }];
  const guardRow: TextRow[] = guard === null ? [] : [{ role: 'guard', text: `[${guard.name}]` }];
  // An arrow without either is the last of several: it is taken when no other is.
  const otherwise: TextRow[] =
    event === '' && guard === null ? [{ role: 'guard', text: '[else]' }] : [];
  return [...eventRow, ...guardRow, ...otherwise, ...toEffectRows('/', effects, wording)];
}

/** The lines of a way: short texts share one. */
export function packWayLines(rows: readonly TextRow[]): TextRow[][] {
  const lines: TextRow[][] = [];
  let chars = 0;
  for (const row of rows) {
    const line = lines.at(-1);
    const joins =
      line !== undefined &&
      row.role !== 'effect' &&
      line[0]?.role !== 'says' &&
      line[0]?.role !== 'note' &&
      row.role !== 'note' &&
      row.role !== 'count' &&
      chars + row.text.length < ONE_LINE_CHARS;
    if (joins) line.push(row);
    else lines.push([row]);
    chars = joins ? chars + row.text.length : row.text.length;
  }
  return lines;
}
