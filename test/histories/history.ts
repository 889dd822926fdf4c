import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { DurableChart, DurableEvent } from '../../src/kernel/chart.ts';
import {
  startMachine,
  type StepResult,
  formatStateValue,
  stepMachine,
} from '../../src/kernel/stepMachine.ts';
import type { JobContext } from '../../machines/index.ts';
import type { JournalRow } from '../../src/kernel/writer.ts';
import type { Changed } from './changed.ts';

const FOLDER = new URL('../fixtures/histories/', import.meta.url);

/** One event of an actor's life as its journal had it. */
export interface HistoryRow {
  seq: number;
  event: DurableEvent;
  /** States passed through; the last is where it came to rest. */
  path: string[];
  /** Types of the effects, in their order. */
  effects: string[];
}

/** The whole life of one actor, from its input to its end. */
export interface History {
  /** What happened, for people. */
  what: string;
  chart: string;
  version: number;
  /** Journal rows without the kernel's own notes. */
  rows: HistoryRow[];
  /** Context at the end. */
  context: Record<string, unknown>;
}

/** What a journal tells of an actor that has come to rest. */
export const createHistory = (
  what: string,
  { id, version }: DurableChart,
  journal: readonly JournalRow[],
  context: Record<string, unknown>,
): History => ({
  what,
  chart: id,
  version,
  rows: journal
    .filter(({ note }) => !note)
    .map(({ seq, event, path, effects }) => ({
      seq,
      event,
      path,
      effects: effects.map(({ type }) => type),
    })),
  context,
});

/** The context at the end of a history as the chart's migrations make it today's. */
export const contextToday = (
  chart: DurableChart,
  { version, context }: Pick<History, 'version' | 'context'>,
): unknown => {
  let snapshot: Record<string, unknown> = { context };
  for (let at = version; at < chart.version; at++)
    snapshot = chart.migrations[at]?.(snapshot) ?? snapshot;
  return snapshot.context;
};

export const historyNames = (): string[] =>
  readdirSync(FOLDER).map((file) => file.replace(/\.jsonl$/, ''));

const toHistoryUrl = (name: string): URL => new URL(`${name}.jsonl`, FOLDER);

/**
 * One line for the head, one for each row, one for the end: a change of the chart shows as changed
 * lines.
 */
export function writeHistory(name: string, { what, chart, version, rows, context }: History): void {
  const lines = [{ what, chart, version }, ...rows, { context }];
  writeFileSync(toHistoryUrl(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export function readHistory(name: string): History {
  const lines = readFileSync(toHistoryUrl(name), 'utf8').trimEnd().split('\n');
  const [head, ...rest] = lines.map((line): unknown => JSON.parse(line));
  const { context } = rest.pop() as Pick<History, 'context'>;
  return {
    ...(head as Pick<History, 'what' | 'chart' | 'version'>),
    rows: rest as HistoryRow[],
    context,
  };
}

/** A history as it goes in today's chart: its rows up to the first that leads another way. */
interface Replayed {
  rows: HistoryRow[];
  /** Context at its end; null where it goes another way before. */
  context: unknown;
}

/**
 * What today's chart makes of the events of a history. Throws if it refuses one, unless `changed`
 * expects that. A row of `changed` is answered as it was recorded if today's answer is the one that
 * it names.
 */
export function replay(
  { machine }: DurableChart,
  { rows }: History,
  changed: readonly Omit<Changed, 'file'>[] = [],
): Replayed {
  let last: StepResult | undefined;
  const replayed: HistoryRow[] = [];
  for (const row of rows) {
    const { seq, event } = row;
    const next = last
      ? stepMachine(machine, last.snapshot, event)
      : startMachine(machine, event.input);
    const change = changed.find((one) => one.seq === seq);
    if (change) {
      const today = JSON.stringify(next?.path ?? null);
      if (today !== JSON.stringify(change.today))
        throw new Error(`row ${seq}: ${event.type} leads to ${today}, listed otherwise`);
      if (today === JSON.stringify(row.path))
        throw new Error(`row ${seq}: ${event.type} is listed, but goes the recorded way`);
      if (change.rest === 'another') return { rows: replayed, context: null };
      if (change.instead && last) {
        const instead = stepMachine(
          machine,
          last.snapshot,
          change.instead(event, last.snapshot.context as JobContext),
        );
        if (!instead) throw new Error(`row ${seq}: what would be sent today is not taken either`);
        replayed.push({
          seq,
          event,
          path: instead.path,
          effects: instead.effects.map(({ type }) => type),
        });
        last = instead;
        continue;
      }
      replayed.push(row);
      last = next ?? last;
      continue;
    }
    if (!next)
      throw new Error(
        `row ${seq}: ${event.type} is not taken in ${last && formatStateValue(last.snapshot.value)}`,
      );
    last = next;
    replayed.push({ seq, event, path: next.path, effects: next.effects.map(({ type }) => type) });
  }
  // As it would be stored: an absent member and an undefined one are the same there.
  return { rows: replayed, context: JSON.parse(JSON.stringify(last?.snapshot.context)) };
}
