import type { ChartArrow, ChartNode } from '../../src/contract/schema/workflow/machine.ts';
import { staysInState } from './picture/buildMachineGraph.ts';
import { findPlainWay, toPlainEvent, toPlainState } from './picture/plainWords.ts';

export interface ArrowWords {
  on: string;
  /** When; empty = always. */
  when: string;
  to: string;
  /** What happens on the way, each with where; empty = nothing but the step. */
  does: string[];
}

const PLACES = {
  outside: 'an external effect',
  commit: 'in the same commit',
  inside: 'changes the context',
} as const;

const nameStatePath = (path: string): string => path || 'the root';

export function toArrowWords(arrow: ChartArrow, source: string): ArrowWords {
  const { event, from, guard, targets, reenter, effects } = arrow;
  const staying = reenter
    ? `leaves ${nameStatePath(source)} and enters it again`
    : 'stays where it is';
  return {
    on:
      event === ''
        ? 'immediately, without an event'
        : from === null
          ? event
          : `${event}, from ${from}`,
    when: guard?.says ?? '',
    to: staysInState(arrow, source) ? staying : `goes to ${targets.join(' and ')}`,
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

export function describeBox(
  { type, name, waits, arrows }: ChartNode,
  now: boolean,
  flagged = false,
): string {
  const out = new Set(arrows.flatMap(({ targets }) => targets)).size;
  const ways = out === 0 ? '' : `, leads to ${out} ${out === 1 ? 'state' : 'states'}`;
  const wait = waits.length === 0 ? '' : `. Waiting ${waits.join(', then ')}`;
  return `${READ[type]} ${name}${now ? ', current' : ''}${flagged ? ', flagged' : ''}${ways}${wait}`;
}

/** The states that a state leads to, for drawings whose arrows say nothing. */
export function describeTargets(
  { path, arrows }: Pick<ChartNode, 'path' | 'arrows'>,
  kind: 'actor' | 'workflow',
): string {
  const targets = new Set(arrows.flatMap((arrow) => arrow.targets).filter((to) => to !== path));
  const names = [...targets].map((to) => (kind === 'actor' ? toPlainState(to, to) : to));
  return names.length === 0 ? '' : `. Leads to ${names.join(', ')}`;
}

/** What keeps a phase of a workflow where it is or begins it again: the picture only counts it. */
export function describeStays({ path, arrows }: Pick<ChartNode, 'path' | 'arrows'>): string {
  const events = arrows
    .filter((arrow) => arrow.event !== '' && staysInState(arrow, path))
    .map(({ event, guard }) => {
      const way = findPlainWay(event, guard?.name);
      return way ?? `${toPlainEvent(event)}${guard ? ` and ${guard.says}` : ''}`;
    });
  return events.length === 0 ? '' : `. Stays, or begins again, if ${events.join(', or ')}`;
}

export function describeWay(
  arrow: ChartArrow,
  source: string,
  openness: true | 'depends' | undefined,
): string {
  const { on, when, to } = toArrowWords(arrow, source);
  const open =
    openness === true ? 'Open: ' : openness === 'depends' ? 'Depends on the event: ' : '';
  return `${open}from ${nameStatePath(source)}, on ${on}${when ? `, when ${when}` : ''}, ${to}`;
}

/** The same in plain words; states have plain names only in the charts of actors. */
export function describeWayPlainly(
  arrow: ChartArrow,
  source: ChartNode,
  openness: true | 'depends' | undefined,
  kind: 'actor' | 'workflow',
): string {
  const toStateName = (path: string): string =>
    path === '' ? 'the whole chart' : kind === 'actor' ? toPlainState(path, path) : path;
  const open =
    openness === true ? 'Possible now: ' : openness === 'depends' ? 'Depends on the event: ' : '';
  const what = arrow.event === '' ? 'immediately' : toPlainEvent(arrow.event);
  const when = arrow.guard ? `, if ${arrow.guard.says}` : '';
  const to = staysInState(arrow, source.path)
    ? 'stays'
    : `leads to ${arrow.targets.map(toStateName).join(' and ')}`;
  return `${open}from ${toStateName(source.path)}, ${what}${when}, ${to}`;
}
