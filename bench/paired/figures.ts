import { spawnSync } from 'node:child_process';
import type { Lab } from '../lab.ts';
import { jobRate, pairedHome, startCosts } from './outside.ts';

/** Jobs that are not counted, then those that are. */
const FIRST_JOBS = 50;
const JOBS = 200;
/** Starts of a round, of which the cheapest counts. */
const STARTS = 3;
/** Longest that a tree's own row may take, ms. */
const ROW_MS = 600_000;
/** Characters of what a row printed that its error repeats. */
const MOST_SAID = 500;

export interface Side {
  tree: string;
  program: string;
}

export interface PairedFigure {
  name: string;
  unit: string;
  better: 'more' | 'less';
  /** Ratios this / that; null = reported. */
  must: number | null;
  aim: number | null;
  measure(side: Side, lab: Lab): Promise<number>;
}

/** A home that a runner has been started on once: making it is not a part of a start. */
async function usedHome({ program }: Side, lab: Lab): Promise<string> {
  const home = lab.folder('paired');
  pairedHome(home);
  await startCosts(program, home);
  return home;
}

async function cheapestStart(side: Side, lab: Lab, cost: 'ms' | 'cpuMs'): Promise<number> {
  const home = await usedHome(side, lab);
  const costs: number[] = [];
  for (let n = 0; n < STARTS; n++) costs.push((await startCosts(side.program, home))[cost]);
  return Math.min(...costs);
}

/** The tree's own row of whole jobs; a target that it misses there does not matter here. */
function ownRow({ tree }: Side): number {
  const args = ['--import', 'tsx', 'bench/index.ts', '--only', 'jobs.whole', '--json'];
  const options = { cwd: tree, encoding: 'utf8', timeout: ROW_MS } as const;
  const { stdout, stderr, error } = spawnSync(process.execPath, args, options);
  try {
    const value: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')['jobs.whole'].value;
    if (typeof value === 'number') return value;
  } catch {
    // Handled below: the output says more.
  }
  const why = error?.message ?? `${stderr}${stdout}`.trim().slice(-MOST_SAID);
  throw new Error(`The row jobs.whole of ${tree} failed: ${why}`);
}

export const FIGURES: readonly PairedFigure[] = [
  {
    name: 'start',
    unit: 'ms',
    better: 'less',
    must: 0.75,
    aim: 0.6,
    measure: (side, lab) => cheapestStart(side, lab, 'ms'),
  },
  {
    name: 'start.cpu',
    unit: 'ms',
    better: 'less',
    must: null,
    aim: null,
    measure: (side, lab) => cheapestStart(side, lab, 'cpuMs'),
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
