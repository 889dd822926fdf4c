import type { RunningRunner } from '../../src/host/runner/runner.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { Hands } from '../sim/agents.ts';
import { REPO } from '../sim/forge.ts';
import { Life } from '../sim/life.ts';
import type { End } from '../sim/script.ts';
import { createOverlay } from '../sim/overlays.ts';
import { World, type WorldOptions } from '../sim/world.ts';
import { noRemote } from '../support/standIns/noRunnerGates.ts';

/** How often a scene looks at its job, simulated ms, and how often it may look. */
const LOOK_MS = 500;
const LOOKS = 10_000;

/** A life of a job to be recorded: what its agents do and what people do. */
export interface Scene {
  name: string;
  /** One sentence, for the head of the file. */
  what: string;
  params?: Record<string, unknown>;
  /** Its files stay as they are, which svc can see; default: it cannot see them. */
  sameFiles?: boolean;
  agents(hands: Hands): Promise<End>;
  people(stage: Stage): Promise<void>;
}

/** Two phases with agents, whose files never change. */
const SAME_FILES: NonNullable<WorldOptions['stage']> = {
  overlay: createOverlay(['coding', 'testing']),
  runner: { maxConcurrentJobs: 1, sessionMinutes: 60 },
  work: () => 'same',
  remote: () => ({
    forges: [],
    settings: noRemote,
  }),
};

/** The whole runner in a world in which nothing goes wrong by itself. */
export class Stage {
  readonly world: World;
  #lives = 0;
  #jobId = '';

  constructor({ agents, sameFiles = false }: Pick<Scene, 'agents' | 'sameFiles'>) {
    const stage = sameFiles ? { stage: SAME_FILES } : {};
    this.world = new World({ seed: 1, play: agents, ...stage });
    this.world.stormy = false;
  }

  get runner(): RunningRunner {
    const { life } = this.world;
    if (!life) throw new Error('the runner is down');
    return life.runner;
  }

  get jobId(): string {
    return this.#jobId;
  }

  get job(): Job {
    return this.runner.job(this.#jobId);
  }

  async start(): Promise<void> {
    this.#lives += 1;
    const life = new Life(this.world, this.#lives);
    this.world.life = life;
    await life.start();
  }

  async crash(): Promise<void> {
    this.world.life?.die();
    await this.start();
  }

  async create(params: Record<string, unknown>): Promise<void> {
    const body = {
      type: 'job',
      workflowPath: 'workflows/job.md',
      params: { repoSlug: REPO, description: 'a scene', ...params },
    };
    this.#jobId = (await this.runner.createJob(body)).jobId;
  }

  sleep(ms: number): Promise<void> {
    const { clock } = this.world;
    return new Promise((resolve) => {
      clock.at(clock.now() + ms, resolve);
    });
  }

  /** The job as soon as it is as wanted. */
  async until(matches: (job: Job) => boolean): Promise<Job> {
    for (let looks = 0; looks < LOOKS; looks++) {
      if (matches(this.job)) return this.job;
      await this.sleep(LOOK_MS);
    }
    throw new Error(`the scene does not get there; the job is ${this.job.state}`);
  }

  in = (state: string): Promise<Job> => this.until((job) => job.state.includes(state));

  /** Approves what is shown. */
  async approve(): Promise<void> {
    await this.in('parked.approval');
    await this.runner.resume(this.jobId, { eventKey: 'approve' }, { by: 'open' });
  }

  /** Merges the newest pull request as a person does. */
  async merge(): Promise<void> {
    await this.in('parked.event');
    const number = this.job.prMappings.findLast(({ state }) => state === 'open')?.number ?? 0;
    await this.runner.mergePullRequest(REPO, number, { author: 'ann' }, { by: 'open' });
  }
}

/** Plays a scene to its end under the simulated clock. */
export async function perform({ people, params = {}, ...scene }: Scene): Promise<Stage> {
  const stage = new Stage(scene);
  let over = false;
  const played = (async () => {
    await stage.start();
    await stage.create(params);
    await people(stage);
    // What is still on its way is part of the history.
    await stage.sleep(60_000);
  })().finally(() => {
    over = true;
  });
  while (!over) {
    if (!stage.world.clock.runNext()) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await played;
  return stage;
}
