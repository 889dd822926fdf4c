/**
 * npm run bench:paired [-- --commit 9f67b35] [--rounds 5] [--json]
 *
 * Measures this tree and another commit of svc by turns and prints the ratios this / that. The other
 * commit is built once in ~/.cache/svc-peers/commits. Both are driven from outside, as built
 * programs over HTTP:
 *
 *   start       from exec until /health is answered
 *   jobs.http   whole jobs a second: created, six phases without an agent, shown as complete
 *   jobs.whole  each tree's own row with this name: whole jobs a second within one process
 *
 * Exit code 1 when a target was missed, 2 for a wrong flag.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { toolFlags } from '../../scripts/toolFlags.ts';
import { Lab } from '../lab.ts';
import { compare, judge } from '../peers/comparison.ts';
import { loadNow } from '../peers/machine.ts';
import { shown } from '../peers/report.ts';
import { commitOf, otherCommit } from './otherCommit.ts';
import { jobRate, pairedHome, startMs } from './outside.ts';

const ROUNDS = 5;
/** Jobs that are not counted, then those that are. */
const FIRST_JOBS = 50;
const JOBS = 200;
/** Starts of a round, of which the fastest counts. */
const STARTS = 3;
/** What later work is compared with: the last commit before the work on speed. */
const COMMIT = '9f67b35';

const { values: flags } = toolFlags({
  options: {
    commit: { type: 'string', default: COMMIT },
    rounds: { type: 'string', default: String(ROUNDS) },
    json: { type: 'boolean', default: false },
  },
});

interface Side {
  /** Folder with the sources and packages. */
  tree: string;
  program: string;
}

interface PairedFigure {
  name: string;
  unit: string;
  better: 'more' | 'less';
  must: number | null;
  aim: number | null;
  measure(side: Side, lab: Lab): Promise<number>;
}

/** A home that a runner has been started on once: making it is no part of a start. */
async function usedHome({ program }: Side, lab: Lab): Promise<string> {
  const home = lab.folder('paired');
  pairedHome(home);
  await startMs(program, home);
  return home;
}

/** The tree's own row of whole jobs. */
function ownRow({ tree }: Side): number {
  const args = ['--import', 'tsx', 'bench/index.ts', '--only', 'jobs.whole', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
  const value = JSON.parse(stdout.trim().split('\n').at(-1) || '{}')['jobs.whole']?.value;
  if (typeof value !== 'number')
    throw new Error(`the row jobs.whole of ${tree} failed: ${stderr.slice(-500)}`);
  return value;
}

const FIGURES: readonly PairedFigure[] = [
  {
    name: 'start',
    unit: 'ms',
    better: 'less',
    must: 0.75,
    aim: 0.6,
    async measure(side, lab) {
      const home = await usedHome(side, lab);
      const times: number[] = [];
      for (let n = 0; n < STARTS; n++) times.push(await startMs(side.program, home));
      return Math.min(...times);
    },
  },
  {
    name: 'jobs.http',
    unit: '/s',
    better: 'more',
    must: null,
    aim: null,
    async measure(side, lab) {
      const home = await usedHome(side, lab);
      return jobRate(side.program, home, { first: FIRST_JOBS, counted: JOBS });
    },
  },
  {
    name: 'jobs.whole',
    unit: '/s',
    better: 'more',
    must: 1.5,
    aim: 2,
    measure: async (side) => ownRow(side),
  },
];

const note = (line: string) => console.error(`  ${line}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.chdir(resolve(import.meta.dirname, '../..'));

const rounds = Number(flags.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds takes a number from 1 on, not ${flags.rounds}`);
  process.exit(2);
}
const lab = new Lab();
process.on('exit', () => lab.close());
try {
  const commit = commitOf(flags.commit);
  const other = otherCommit(commit, note);
  const sides: Record<string, Side> = {
    svc: { tree: '.', program: await lab.program() },
    [commit.slice(0, 8)]: { tree: other, program: join(other, 'cli', 'bin', 'run.js') },
  };
  const figures: Record<string, unknown> = {};
  for (const { name, unit, better, must, aim, measure } of FIGURES) {
    const values: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round++) {
      for (const [who, side] of Object.entries(sides)) {
        const value = await measure(side, lab);
        values[who] = [...(values[who] ?? []), value];
        note(`${name}, round ${round + 1} of ${rounds}, ${who}: ${shown(value)} ${unit}`);
      }
    }
    const compared = compare(values);
    const that = compared[commit.slice(0, 8)];
    const ratio = that?.ratio ?? null;
    const reached =
      must === null || aim === null
        ? 'reported'
        : judge({ figure: name, peer: commit, better, must, aim }, ratio).reached;
    if (reached === 'missed') process.exitCode = 1;
    figures[name] = { unit, values, compared, ratio, must, aim, reached };
    const medians = `${shown(compared['svc']?.median ?? Number.NaN)} against ${shown(that?.median ?? Number.NaN)} ${unit}`;
    const wanted = must === null ? '' : `, must ${must} ×, aim ${aim} ×`;
    const line = `${name}: ${medians}, ${shown(ratio ?? Number.NaN)} ×${wanted}: ${reached}`;
    if (flags.json) note(line);
    else console.log(line);
  }
  note(`load of the last minute: ${loadNow()}`);
  if (flags.json) console.log(JSON.stringify({ commit, figures }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
