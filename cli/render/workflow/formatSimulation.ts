import { JOB_OUTCOMES } from '../../../src/base/jobs/jobOutcomes.ts';
import type { SimulationResult } from '../../../src/workflows/simulation/simulate.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const padTwoDigits = (count: number): string => String(count).padStart(2, '0');

/** Time since the begin: `0:00:05`, `26:10:00`. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${padTwoDigits(Math.floor(seconds / 60) % 60)}:${padTwoDigits(seconds % 60)}`;
};

export function formatSimulation(
  { timeline, coverage, outcome, took, ...now }: SimulationResult,
  { color }: Pick<Io, 'color'>,
): string {
  const rows = timeline.map(({ at, event, state, phase, status }) => [
    formatElapsed(at),
    event,
    state,
    phase,
    status,
  ]);
  const head = ['time', 'event', 'state', 'phase', 'status'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => toPrintableLine(row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === cells.length - 1
          ? toPrintableLine(cell)
          : toPrintableLine(cell).padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const table = [color.dim(line(head))];
  for (const [index, row] of rows.entries()) {
    table.push(line(row));
    for (const entryText of timeline[index]?.log ?? [])
      table.push(color.dim(`         ${toPrintableLine(entryText)}`));
  }
  const isEnded = JOB_OUTCOMES.some((one) => one === outcome);
  const words = {
    rests: 'rests',
    stopped: 'stopped by the script',
    endless: 'repeats without end',
  };
  const outcomeText = isEnded ? outcome : words[outcome as keyof typeof words];
  const why =
    now.message ?? (isEnded ? '' : now.waitsFor.map((reason) => `it waits ${reason}`).join('; '));
  const missedPhases = coverage.filter(({ reached }) => !reached).map(({ phase }) => phase);
  const reachedText = `${coverage.length - missedPhases.length} of ${coverage.length} phases reached`;
  return [
    ...table,
    '',
    `${outcomeText} after ${formatElapsed(took)}${why === '' ? '' : `: ${toPrintableLine(why)}`}`,
    missedPhases.length === 0
      ? reachedText
      : `${reachedText}; not: ${missedPhases.map(toPrintableLine).join(', ')}`,
    '',
  ].join('\n');
}
