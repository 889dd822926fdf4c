import { deepStrictEqual } from 'node:assert/strict';
import { toErrorMessage } from '../../../src/base/errors/errors.ts';
import type { Ending } from './mortalRunner.ts';

/**
 * Plays of a point that a play may miss because the events were grouped otherwise this time; each
 * is counted.
 */
const MOST_PLAYS = 3;

interface MatrixPlay {
  outcome: unknown;
  problems: string[];
  points: string[];
  death: Ending | null;
  revivedMs: number | null;
  ms: number;
}

export interface MatrixReport {
  /** Fault points that were played, and how many of them were reached and killed. */
  points: number;
  crashes: number;
  /** By kind: `commit`, `effect`. */
  kinds: Record<string, number>;
  /** Plays with a crash; more than `points` where some had to be repeated. */
  plays: number;
  seconds: number;
  /** From a death to the first answer of the next process, ms. */
  answersAgainMs: { median: number; slowest: number };
  missed: string[];
  /** Points of plays before their death that the clean run lacks: events were grouped otherwise. */
  others: string[];
  /** What was not as in the clean run, as sentences with their point. */
  wrong: string[];
}

/**
 * Not so before commits of tools and commands: an agent has worked in its checkout, a person has
 * sent something.
 */
const RUNNERS_OWN = /^(?:commit:(?!tool\.|job\.|subRuns\.(?:rerun|cancel|skip))|effect:).*:before#/;

/**
 * Points at which disk and outside differ from those of the point before: between an `:after` and
 * the next `:before` of the runner's own nothing has happened that a crash could lose. The matrix
 * of `npm run test:crash` plays every point.
 */
export const distinctPoints = (points: readonly string[]): string[] =>
  points.filter((point, n) => !(RUNNERS_OWN.test(point) && /:after#/.test(points[n - 1] ?? '')));

/** The first of the points and then every `n`th, to save time. */
export const everyNth = (points: readonly string[], n: number): string[] =>
  points.filter((_, index) => index % n === 0);

/** Of points at effects the first of each effect, of the others every `n`th: the same for less time. */
export function takeSample(points: readonly string[], n: number): string[] {
  const getPointKind = (point: string) => point.slice(0, point.indexOf('#'));
  const isEffect = (point: string) => point.startsWith('effect:');
  const effects = points.filter(isEffect);
  const firsts = effects.filter(
    (point, index) =>
      effects.findIndex((other) => getPointKind(other) === getPointKind(point)) === index,
  );
  return [
    ...firsts,
    ...everyNth(
      points.filter((point) => !isEffect(point)),
      n,
    ),
  ];
}

interface MatrixOptions {
  atOnce: number;
  /** Points that are played; default: all of the clean run. */
  points?: readonly string[];
  /** Points at which the processes that follow die in turn; default: none. */
  thenAt?: readonly string[];
  onPlay?(point: string, ms: number): void;
}

/** Differences of a play from the clean run; empty = none. */
function differences({ outcome, problems }: MatrixPlay, clean: MatrixPlay): string[] {
  try {
    deepStrictEqual(outcome, clean.outcome);
    return problems;
  } catch (error) {
    return [toErrorMessage(error), ...problems];
  }
}

export async function playMatrix(
  stage: { play(...dieAt: string[]): Promise<MatrixPlay> },
  clean: MatrixPlay,
  { atOnce, points = clean.points, thenAt = [], onPlay }: MatrixOptions,
): Promise<MatrixReport> {
  const began = performance.now();
  const queue = [...points];
  const crashed = new Set<string>();
  const others = new Set<string>();
  const answers: number[] = [];
  const wrong: string[] = [];
  let plays = 0;

  const playOnce = async (point: string): Promise<void> => {
    plays += 1;
    const played = await stage.play(point, ...thenAt);
    if (played.death === 'SIGKILL' && played.points.at(-1) === point) crashed.add(point);
    for (const other of played.points) if (!clean.points.includes(other)) others.add(other);
    if (played.revivedMs !== null) answers.push(played.revivedMs);
    wrong.push(...differences(played, clean).map((text) => `${point}: ${text}`));
    onPlay?.(point, played.ms);
  };
  const worker = async (): Promise<void> => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      try {
        for (let play = 0; play < MOST_PLAYS && !crashed.has(point); play += 1)
          await playOnce(point);
      } catch (error) {
        wrong.push(toErrorMessage(error));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));

  const kinds: Record<string, number> = {};
  for (const point of points) {
    const kind = point.split(':')[0] ?? '';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  answers.sort((a, b) => a - b);
  return {
    points: points.length,
    crashes: crashed.size,
    kinds,
    plays,
    seconds: Math.round((performance.now() - began) / 1000),
    answersAgainMs: {
      median: Math.round(answers[answers.length >> 1] ?? 0),
      slowest: Math.round(answers.at(-1) ?? 0),
    },
    missed: points.filter((point) => !crashed.has(point)),
    others: [...others],
    wrong,
  };
}
