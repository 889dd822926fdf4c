import type { ChartArrow } from '../../src/schema/machine.ts';
import type { TextRow } from './graph.ts';

/** How much the arrows say. */
export interface Wording {
  /** Every effect, also changes of the context and rows; else those on the outside world alone. */
  allEffects: boolean;
}

/** Longest text of event and guard on one line, characters. */
const ONE_LINE_CHARS = 30;
/** Longest line of effects, characters; longer text wraps. */
const EFFECT_CHARS = 34;

/** Names in lines that are not too long. */
function inLines(names: readonly string[], most: number): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= most)
      lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(name);
  }
  return lines;
}

/** What an arrow, an entry or an exit does, after `lead`. */
export function effectRows(
  lead: string,
  effects: ChartArrow['effects'],
  { allEffects }: Wording,
): TextRow[] {
  const names = effects
    .filter(({ kind }) => allEffects || kind === 'outside')
    .map(({ name }) => name);
  return inLines([...new Set(names)], EFFECT_CHARS).map((line, index) => ({
    role: 'effect' as const,
    text: index === 0 ? `${lead} ${line}` : line,
  }));
}

/** What an arrow says: `event [guard]`, then what it does. */
export function arrowRows({ event, guard, effects }: ChartArrow, wording: Wording): TextRow[] {
  const eventRow: TextRow[] = event === '' ? [] : [{ role: 'event', text: event }];
  const guardRow: TextRow[] = guard === null ? [] : [{ role: 'guard', text: `[${guard.name}]` }];
  // An arrow without either is the last of several: it is taken when no other is.
  const otherwise: TextRow[] =
    event === '' && guard === null ? [{ role: 'guard', text: '[else]' }] : [];
  return [...eventRow, ...guardRow, ...otherwise, ...effectRows('/', effects, wording)];
}

/** The lines of a way: short texts share one. */
export function wayLines(rows: readonly TextRow[]): TextRow[][] {
  const lines: TextRow[][] = [];
  let chars = 0;
  for (const row of rows) {
    const line = lines.at(-1);
    const joins =
      line !== undefined && row.role !== 'effect' && chars + row.text.length < ONE_LINE_CHARS;
    if (joins) line.push(row);
    else lines.push([row]);
    chars = joins ? chars + row.text.length : row.text.length;
  }
  return lines;
}
