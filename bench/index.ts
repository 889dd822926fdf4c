/**
 * npm run bench [-- --json] [-- --only <figure,…>]
 *
 * Measures what svc promises to be fast at and prints a table, a line as each figure is known. With `--json` the table
 * goes to stderr, and the last line of stdout is one object { figure: { value, unit, ratio, target, ok } }. `--only` takes
 * names of figures or the part before the dot. Exit code 1 when a target was missed.
 */
import { parseArgs } from 'node:util';
import { type Figure, lineOf } from './figure.ts';
import { Lab } from './lab.ts';
import { agentsRow } from './rows/agents.ts';
import { builtinRow } from './rows/builtin.ts';
import { campaignRow } from './rows/campaign.ts';
import { commandLineRow } from './rows/commandLine.ts';
import { getJobRow } from './rows/getJob.ts';
import { idleRow } from './rows/idle.ts';
import { kernelStepsRow } from './rows/kernelSteps.ts';
import { memoryRow } from './rows/memory.ts';
import { restartRow } from './rows/restart.ts';
import type { Row } from './rows/row.ts';
import { streamsRow } from './rows/streams.ts';
import { wakeRow } from './rows/wake.ts';
import { wholeJobsRow } from './rows/wholeJobs.ts';

const ROWS: readonly Row[] = [
  kernelStepsRow,
  wholeJobsRow,
  campaignRow,
  wakeRow,
  memoryRow,
  restartRow,
  getJobRow,
  streamsRow,
  agentsRow,
  builtinRow,
  idleRow,
  commandLineRow,
];

const { values: flags } = parseArgs({ options: { json: { type: 'boolean', default: false }, only: { type: 'string' } } });
const wanted = flags.only?.split(',') ?? [];
const isWanted = (figure: string): boolean =>
  wanted.length === 0 || wanted.some((name) => figure === name || figure.startsWith(`${name}.`));

const known = ROWS.flatMap((row) => row.figures);
const unknown = wanted.filter((name) => !known.some((figure) => figure === name || figure.startsWith(`${name}.`)));
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(', ')}. There are: ${known.join(', ')}`);
  process.exit(2);
}

const tell = flags.json ? console.error : console.log;
const figures: Record<string, Figure> = {};
const lab = new Lab();
try {
  for (const row of ROWS) {
    if (!row.figures.some(isWanted)) continue;
    console.error(`… ${row.figures.join(', ')}`);
    const measured = await row.measure(lab, (line) => tell(`  ${line}`));
    for (const [name, figure] of Object.entries(measured)) {
      if (!isWanted(name)) continue;
      figures[name] = figure;
      tell(lineOf(name, figure));
    }
  }
} finally {
  lab.close();
}
if (flags.json) console.log(JSON.stringify(figures));
if (Object.values(figures).some(({ ok }) => !ok)) process.exitCode = 1;
