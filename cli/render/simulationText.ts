import { JOB_OUTCOMES } from '../../src/domain/jobOutcomes.ts';
import type { Simulated } from '../../src/simulation/simulate.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';

const two = (count: number): string => String(count).padStart(2, '0');

/** Time since the begin: `0:00:05`, `26:10:00`. */
export const elapsedText = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

/** The timeline, how it has ended, and which phases were reached. */
export function simulationText(
  { timeline, coverage, outcome, took, ...now }: Simulated,
  { color }: Pick<Io, 'color'>,
): string {
  const rows = timeline.map(({ at, event, state, phase, status }) => [
    elapsedText(at),
    event,
    state,
    phase,
    status,
  ]);
  const head = ['time', 'event', 'state', 'phase', 'status'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => printableLine(row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === cells.length - 1
          ? printableLine(cell)
          : printableLine(cell).padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const table = [color.dim(line(head))];
  for (const [index, row] of rows.entries()) {
    table.push(line(row));
    for (const said of timeline[index]?.log ?? [])
      table.push(color.dim(`         ${printableLine(said)}`));
  }
  const ended = JOB_OUTCOMES.some((one) => one === outcome);
  const words = {
    rests: 'rests',
    stopped: 'stopped by the script',
    endless: 'repeats without end',
  };
  const said = ended ? outcome : words[outcome as keyof typeof words];
  const why =
    now.message ?? (ended ? '' : now.waitsFor.map((reason) => `it waits ${reason}`).join('; '));
  const missed = coverage.filter(({ reached }) => !reached).map(({ phase }) => phase);
  const reached = `${coverage.length - missed.length} of ${coverage.length} phases reached`;
  return [
    ...table,
    '',
    `${said} after ${elapsedText(took)}${why === '' ? '' : `: ${printableLine(why)}`}`,
    missed.length === 0 ? reached : `${reached}; not: ${missed.map(printableLine).join(', ')}`,
    '',
  ].join('\n');
}
