import { findProgramOnPath } from '../src/executors/process/findProgramOnPath.ts';
import { type Figure, formatFigure } from './figure.ts';
import type { Row } from './rows/row.ts';
import type { BenchFlags } from './flags.ts';

/**
 * Measures the rows that `--only` asks for and prints a line as each figure is known; with `--json`
 * one object at the end. A row whose programs are not installed is left out and named. Sets the exit code 1 when a target was missed, 2 for a figure that does
 * not exist.
 */
export async function runRows<Place>(
  rows: readonly Row<Place>[],
  place: Place,
  flags: BenchFlags,
): Promise<void> {
  const names = flags.only?.split(',') ?? [];
  const fits = (figure: string, name: string): boolean =>
    figure === name || figure.startsWith(`${name}.`);
  const isWanted = (figure: string): boolean =>
    names.length === 0 || names.some((name) => fits(figure, name));

  const known = rows.flatMap((row) => row.figures);
  const unknown = names.filter((name) => !known.some((figure) => fits(figure, name)));
  if (unknown.length > 0) {
    console.error(`Unknown figure ${unknown.join(', ')}. Known: ${known.join(', ')}`);
    process.exitCode = 2;
    return;
  }

  const tell = flags.json ? console.error : console.log;
  const figures: Record<string, Figure> = {};
  for (const row of rows) {
    if (!row.figures.some(isWanted) || (row.byHand && names.length === 0)) continue;
    const missing = (row.programs ?? []).filter((program) => findProgramOnPath(program) === null);
    if (missing.length > 0) {
      tell(`left out: ${row.figures.join(', ')} (not installed: ${missing.join(', ')})`);
      continue;
    }
    console.error(`… ${row.figures.join(', ')}`);
    const measured = await row.measure(place, (line) => tell(`  ${line}`));
    for (const [name, figure] of Object.entries(measured)) {
      if (!isWanted(name)) continue;
      figures[name] = figure;
      tell(formatFigure(name, figure));
    }
  }
  if (flags.json) console.log(JSON.stringify(figures));
  if (Object.values(figures).some(({ ok }) => ok === false)) process.exitCode = 1;
}
