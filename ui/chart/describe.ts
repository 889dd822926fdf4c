import type { ChartArrow, ChartNode } from '../../src/schema/machine.ts';
import { stays } from './machineGraph.ts';

/** An arrow in words. */
export interface Told {
  /** What it is taken on: the event, or that it needs none. */
  on: string;
  /** When; empty = always. */
  when: string;
  /** Where it leads. */
  to: string;
  /** What happens on the way, each with where; empty = nothing but the step. */
  does: string[];
}

const PLACES = {
  outside: 'asked of the outside',
  commit: 'written in the same commit',
  inside: 'changes what it knows',
} as const;

const named = (path: string): string => path || 'the whole';

export function tellArrow(arrow: ChartArrow, source: string): Told {
  const { event, from, guard, targets, reenter, effects } = arrow;
  const staying = reenter ? `leaves ${named(source)} and enters it again` : 'stays where it is';
  return {
    on:
      event === '' ? 'at once, without an event' : from === null ? event : `${event}, from ${from}`,
    when: guard?.says ?? '',
    to: stays(arrow, source) ? staying : `goes to ${targets.join(' and ')}`,
    does: effects.map(({ name, kind }) => `${name} (${PLACES[kind]})`),
  };
}

const READ: Readonly<Record<ChartNode['type'], string>> = {
  atomic: 'State',
  compound: 'Group',
  parallel: 'Parallel group',
  final: 'End',
  history: 'Return',
};

/** What a reader of the screen hears of a box. */
export function boxName({ type, name, waits, arrows }: ChartNode, now: boolean): string {
  const out = new Set(arrows.flatMap(({ targets }) => targets)).size;
  const ways = out === 0 ? '' : `, leads to ${out} ${out === 1 ? 'state' : 'states'}`;
  return `${READ[type]} ${name}${now ? ', it is here now' : ''}${ways}${waits[0] ? `. It waits ${waits[0]}` : ''}`;
}

/** What a reader of the screen hears of a way. */
export function wayName(
  arrow: ChartArrow,
  source: string,
  openness: true | 'depends' | undefined,
): string {
  const { on, when, to } = tellArrow(arrow, source);
  const open =
    openness === true ? 'Open: ' : openness === 'depends' ? 'Depends on the event: ' : '';
  return `${open}from ${named(source)}, on ${on}${when ? `, when ${when}` : ''}, ${to}`;
}
