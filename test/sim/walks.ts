import type { JobInput } from '../../machines/index.ts';
import type { DurableChart } from '../../src/kernel/chart.ts';
import { DurableJob } from '../support/charts/durableJob.ts';
import { randomEvent, seededRandom, walkTime, walkWorkflow } from '../support/charts/randomWalk.ts';

/** Events of one walk. */
const STEPS = 40;
/** Probability of a crash between two events, and on the way of one. */
const CRASH = 0.02;
const DEATH = 0.02;

const INPUT: Omit<JobInput, 'id' | 'workflow'> = {
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  params: { description: 'walk' },
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: 0,
};

/** Some jobs are approved in advance, some may work unattended until a time within the walk. */
const createInput = (random: () => number): Omit<JobInput, 'id'> => ({
  ...INPUT,
  workflow: walkWorkflow(random),
  params: {
    ...INPUT.params,
    ...(random() < 0.1 ? { autoApprove: random() < 0.5 ? true : ['planning'] } : {}),
    ...(random() < 0.1 ? { unattended: { until: walkTime(random) } } : {}),
  },
});

export interface Walks {
  walks: number;
  /** The walks have the numbers seed, seed + 1 and so on. */
  seed: number;
  /** Default: the job chart; another one proves that something is noticed. */
  chart?: DurableChart;
  /** Called every thousand walks. */
  reported?: (count: number) => void;
}

export interface Walked {
  events: number;
  /** Events that were taken. */
  taken: number;
  crashes: number;
  /** How many walks have passed through each state. */
  states: Record<string, number>;
}

/**
 * Random walks of a job through kernel and store, with crashes. Throws where something was not
 * true, naming the walk.
 */
export async function walk({ walks, seed, chart, reported }: Walks): Promise<Walked> {
  const walked: Walked = { events: 0, taken: 0, crashes: 0, states: {} };
  for (let n = 0; n < walks; n++) {
    const random = seededRandom(seed + n);
    const job = await DurableJob.start(createInput(random), `walk ${seed + n}`, chart);
    const states = new Set<string>();
    for (let step = 0; step < STEPS; step++) {
      if (random() < CRASH) {
        await job.crash();
        walked.crashes += 1;
      }
      const event = randomEvent(random, job.at, job.context, step);
      walked.events += 1;
      if (random() < DEATH) {
        await job.sendAndDie(event, random() < 0.5 ? 'before the commit' : 'after the commit');
        walked.crashes += 1;
      } else if (await job.send(event)) {
        walked.taken += 1;
      }
      states.add(job.at);
    }
    job.close();
    for (const state of states) walked.states[state] = (walked.states[state] ?? 0) + 1;
    if ((n + 1) % 1000 === 0) reported?.(n + 1);
  }
  return walked;
}
