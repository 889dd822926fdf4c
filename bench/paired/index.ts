/**
 * npm run bench:paired [-- --commit 9f67b35] [--only start,jobs.whole] [--rounds 5] [--json]
 *
 * Measures this tree and another commit of svc by turns and prints the ratios this / that. The other
 * commit is built once in ~/.cache/svc-peers/commits. Both are driven from outside, as built
 * programs over HTTP, on homes that a runner has been started on before:
 *
 *   start       from exec until /health is answered
 *   start.cpu   the processor time until then, user and system; Linux only
 *   jobs.http   whole jobs a second: created, six phases without an agent, shown as complete
 *   jobs.whole  each tree's own row with this name: whole jobs a second within one process
 *
 * --json prints one line { commit, load, figures: { <figure>: { unit, values, compared, ratio, must,
 * aim, reached } } } when all are measured. Exit code 1 when a target was missed or a figure failed,
 * 2 for a wrong flag, 130 after Ctrl-C.
 */
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { toolFlags } from '../../scripts/toolFlags.ts';
import { Lab } from '../lab.ts';
import { compare, judge } from '../peers/comparison.ts';
import { loadNow } from '../peers/machine.ts';
import { formatFigure } from '../peers/report.ts';
import { FIGURES, type PairedFigure, type Side } from './figures.ts';
import { resolveCommit, otherCommit } from './otherCommit.ts';

const ROUNDS = 5;
/** What later work is compared with: the last commit before the work on speed. */
const COMMIT = '9f67b35';

const { values: flags } = toolFlags({
  options: {
    commit: { type: 'string', default: COMMIT },
    only: { type: 'string' },
    rounds: { type: 'string', default: String(ROUNDS) },
    json: { type: 'boolean', default: false },
  },
});

function refuse(line: string): never {
  console.error(line);
  process.exit(2);
}

function chooseFigures(text: string | undefined): readonly PairedFigure[] {
  const available = FIGURES.filter(
    ({ name }) => name !== 'start.cpu' || process.platform === 'linux',
  );
  const names = available.map(({ name }) => name);
  const chosenNames = text?.split(',') ?? names;
  const unknown = chosenNames.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    refuse(`Unknown figure ${unknown.join(', ')}. Known: ${names.join(', ')}`);
  return available.filter(({ name }) => chosenNames.includes(name));
}

const note = (line: string) => console.error(`  ${line}`);
process.chdir(resolve(import.meta.dirname, '../..'));

const rounds = Number(flags.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  refuse(`--rounds takes a whole number from 1 on, not ${flags.rounds}.`);
const figures = chooseFigures(flags.only);
const commit = resolveCommit(flags.commit);
if (commit === null)
  refuse(
    `--commit takes a commit of this repository; it has no ${flags.commit}. A shallow clone gets the others with: git fetch --unshallow`,
  );

const lab = new Lab();
// Its runners end with it: they are in the exit listeners of the process.
process.on('exit', () => lab.close());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));

async function measurePair(
  { name, unit, better, must, aim, measure }: PairedFigure,
  sides: Readonly<Record<string, Side>>,
  that: string,
) {
  const values: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [who, side] of Object.entries(sides)) {
      const value = await measure(side, lab);
      values[who] = [...(values[who] ?? []), value];
      note(`${name}, round ${round + 1} of ${rounds}, ${who}: ${formatFigure(value)} ${unit}`);
    }
  const compared = compare(values);
  const ratio = compared[that]?.ratio ?? null;
  const reached =
    must === null || aim === null
      ? 'reported'
      : judge({ figure: name, peer: that, better, must, aim }, ratio).reached;
  return { unit, values, compared, ratio, must, aim, reached };
}

try {
  const that = commit.slice(0, 8);
  const other = await otherCommit(commit, note);
  const sides: Record<string, Side> = {
    svc: { tree: '.', program: await lab.program() },
    [that]: { tree: other, program: join(other, 'cli', 'bin', 'run.js') },
  };
  const before = loadNow();
  const results: Record<string, Awaited<ReturnType<typeof measurePair>>> = {};
  for (const figure of figures) {
    const { name, unit, must, aim } = figure;
    const one = await measurePair(figure, sides, that);
    results[name] = one;
    if (one.reached === 'missed' || one.reached === 'not measured') process.exitCode = 1;
    const [own, its] = ['svc', that].map((who) =>
      formatFigure(one.compared[who]?.median ?? Number.NaN),
    );
    const targets = must === null ? '' : `, must ${must} ×, aim ${aim} ×`;
    const line = `${name}: ${own} against ${its} ${unit}, ${formatFigure(one.ratio ?? Number.NaN)} ×${targets}: ${one.reached}`;
    if (flags.json) note(line);
    else console.log(line);
  }
  const load = { before, after: loadNow() };
  note(`load of the last minute: ${load.before} before, ${load.after} after`);
  if (flags.json) console.log(JSON.stringify({ commit, load, figures: results }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
