import type { Lab } from '../lab.ts';
import { percentile } from '../statistics.ts';
import type { Contender } from './contender.ts';
import type { Work } from './figures.ts';

/** Longest that one contender may take for one stage, ms. */
const STAGE_MS = 600_000;

interface Stage {
  works: readonly Work[];
  measure(contender: Contender, lab: Lab): Promise<Readonly<Record<string, number>>>;
}

const STAGES: readonly Stage[] = [
  {
    works: ['steps'],
    measure: async (it, lab) => ({
      steps: await it.steps(lab),
      ...(it.statedSteps && { 'steps.state': await it.statedSteps(lab) }),
    }),
  },
  {
    works: ['wake', 'burst'],
    async measure(it, lab) {
      const { singles, burst } = await it.wakes(lab);
      return {
        'wake.p50': percentile(singles, 50),
        'wake.p99': percentile(singles, 99),
        burst,
      };
    },
  },
  {
    works: ['memory', 'recovery'],
    async measure(it, lab) {
      const { worker, server, recovery } = await it.parked(lab);
      return { 'memory.worker': worker, 'memory.server': server ?? Number.NaN, recovery };
    },
  },
];

export interface RoundsWanted {
  contenders: readonly Contender[];
  works: readonly Work[];
  rounds: number;
}

/** Values by figure and contender, one for each round, and what failed. */
export interface RoundsRun {
  rounds: Record<string, Record<string, number[]>>;
  failures: string[];
}

async function inTime<Value>(value: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = new Error(`it took longer than ${STAGE_MS / 60_000} minutes`);
    timer = setTimeout(() => reject(why), STAGE_MS);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs the rounds of each stage with the contenders in turn, so that other load on the machine
 * affects all of them. A round that fails is NaN and does not end the others.
 */
export async function runRounds(
  { contenders, works, rounds }: RoundsWanted,
  lab: Lab,
  note: (line: string) => void,
): Promise<RoundsRun> {
  const run: RoundsRun = { rounds: {}, failures: [] };
  for (const stage of STAGES.filter((one) => one.works.some((work) => works.includes(work)))) {
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const what = `${stage.works.join(', ')}, round ${round + 1} of ${rounds}, ${contender.name}`;
        let values: Readonly<Record<string, number>> = {};
        try {
          values = await inTime(stage.measure(contender, lab));
          const texts = Object.entries(values).map(
            ([name, value]) => `${name} ${value.toPrecision(4)}`,
          );
          note(`${what}: ${texts.join(', ')}`);
        } catch (error) {
          run.failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
          note(`${what} failed: ${error instanceof Error ? error.stack : String(error)}`);
        }
        for (const [name, value] of Object.entries(values)) {
          const figure = run.rounds[name] ?? {};
          const own = figure[contender.name] ?? Array<number>(rounds).fill(Number.NaN);
          own[round] = value;
          run.rounds[name] = { ...figure, [contender.name]: own };
        }
      }
    }
  }
  return run;
}
