import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { followJob, isWorthRetry, waitAbortable } from '../../src/api/client/stream.ts';
import type { TeamHome } from '../../src/contract/schema/cloud/home.ts';
import type { LogFrame, StateFrame } from '../../src/contract/schema/job/frames.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { actAsReviewer } from '../jobDemo.ts';
import type { Screen } from '../screen.ts';
import { DEMO_TAKEOVER } from './demoTakeover.ts';
import { openDemoTeam, OWNER, type PlayedTeam, type TeamParts } from './openDemoTeam.ts';
import { askTeam, createTeamClient, type TeamPlace } from './teamClient.ts';
import { countMergedPrs, describeWanted, dispatchToTeam } from './teamJob.ts';
import type { TeamMachine } from './teamMachine.ts';

const REPO = 'titles';
const LOOK_EVERY_MS = 100;
/** The kill falls within this time after the plan is approved, when an agent changes the code, ms. */
const KILL_WITHIN_MS = 1_500;

interface LossOutcome {
  killed: string;
  continuedBy: string;
  /** From the kill until the other runner did the next step of the job. */
  continuedAfterMs: number;
  status: string;
  prs: number;
  merges: number;
}

/** Two runners of the pool; the one that works on a job is killed, and the other one completes the job. */
export async function playLostRunner(parts: TeamParts): Promise<PlayedTeam<LossOutcome>> {
  const { screen, packageRoot } = parts;
  const program = join(packageRoot, 'dist', 'demo', 'controlPlane.js');
  const { place, laptop, prepare, pair } = await openDemoTeam(parts, (_, home) => [
    program,
    packageRoot,
    home,
  ]);
  const machines = [prepare('pool-1', REPO), prepare('pool-2', REPO)];
  for (const joining of machines) await pair(joining, []);
  for (const { name } of machines) await awaitReplicated(place, name);
  screen.say('the control plane has the state of both: from now on it gets each step of a job');

  screen.person(describeWanted(REPO, []), OWNER.name);
  const { jobId, runner } = await dispatchToTeam(place, REPO, []);
  screen.say(`the control plane has placed it on ${runner.name}: job ${jobId}`);
  const lost = machines.find(({ name }) => name === runner.name);
  if (lost === undefined) throw new Error(`the job was placed on ${runner.name}`);
  const play = new LostRunnerPlay(place, lost, jobId, screen);
  const status = await play.run();
  const { job, continuedBy, continuedAfterMs } = play;
  const [prs, merges] = job === null ? [0, 0] : [job.prMappings.length, countMergedPrs(job)];
  const seconds = (continuedAfterMs / 1000).toFixed(1);
  screen.say(
    `from kill -9 to the next step of the job: ${seconds} s, of which ${DEMO_TAKEOVER.windowMs / 1000} s are the takeover window`,
  );
  screen.say(`in the list the job stays one of ${lost.name}, which may come back`);
  return {
    ok: status === 'complete' && prs === 1 && merges === 1 && continuedBy !== null,
    list: await laptop.runner.command('jobs', '--team', 'acme'),
    headline: `one job, begun on ${lost.name} and completed on ${continuedBy ?? 'no other runner'}, with ${prs} pull request${prs === 1 ? '' : 's'},`,
    outcome: {
      killed: lost.name,
      continuedBy: continuedBy ?? '',
      continuedAfterMs,
      status,
      prs,
      merges,
    },
  };
}

async function readHome(place: TeamPlace, runnerName: string): Promise<TeamHome | undefined> {
  const { homes } = await askTeam<{ homes: TeamHome[] }>(place, '/homes');
  return homes.find(({ runner }) => runner.name === runnerName);
}

/** Waits until the control plane has all that a runner has, so that another one can continue it. */
async function awaitReplicated(place: TeamPlace, runnerName: string): Promise<void> {
  while ((await readHome(place, runnerName))?.state !== 'open') await wait(LOOK_EVERY_MS);
}

/** One job whose runner is killed once. */
class LostRunnerPlay {
  readonly #place: TeamPlace;
  readonly #lost: TeamMachine;
  readonly #jobId: string;
  readonly #screen: Screen;
  /** Epoch ms; null = not decided yet, or done. */
  #killAt: number | null = null;
  /** Epoch ms; null = it has not been killed. */
  #killedAt: number | null = null;
  #isOffered = false;
  /** As a runner described it last; null = not yet. */
  job: Job | null = null;
  continuedBy: string | null = null;
  continuedAfterMs = 0;

  constructor(place: TeamPlace, lost: TeamMachine, jobId: string, screen: Screen) {
    this.#place = place;
    this.#lost = lost;
    this.#jobId = jobId;
    this.#screen = screen;
  }

  /** Follows the job to its end, acting as its reviewer, through the control plane. Resolves with its status. */
  async run(): Promise<string> {
    const following = new AbortController();
    this.#follow(following.signal);
    try {
      for (;;) {
        const job = await this.#look();
        if (job?.ended) return job.status;
        if (this.#killAt !== null && Date.now() >= this.#killAt) await this.#kill();
        if (this.#killedAt !== null && this.continuedBy === null) await this.#showTakeover();
        await wait(LOOK_EVERY_MS);
      }
    } finally {
      following.abort();
    }
  }

  /** null = no runner answers for the job, between the kill and the takeover. */
  async #look(): Promise<Pick<Job, 'ended' | 'status'> | null> {
    const { name } = this.#lost;
    const client = createTeamClient(this.#place, name);
    try {
      const job = await client.job(this.#jobId);
      // The row of the team's list, while no runner answers.
      if (!('prMappings' in job)) return job;
      this.job = job;
      if (job.ended) return job;
      const did = await actAsReviewer(client, job, OWNER.name);
      if (did === null) return job;
      this.#screen.person(`${did} (through the control plane)`, OWNER.name);
      if (this.#killedAt === null) this.#killAt ??= Date.now() + Math.random() * KILL_WITHIN_MS;
      return job;
    } catch (error) {
      if (this.#killedAt === null || !isWorthRetry(error)) throw error;
      return null;
    }
  }

  async #kill(): Promise<void> {
    const { name, runner } = this.#lost;
    this.#killAt = null;
    await runner.kill();
    this.#killedAt = Date.now();
    const seconds = DEMO_TAKEOVER.windowMs / 1000;
    this.#screen.crash(`kill -9: ${name} is gone, and does not come back`);
    this.#screen.say(
      `the control plane waits ${seconds} s for a sign of life of ${name}: its takeover window (for a team of your own 60 s, or what svc cloud start --takeover-window says)`,
    );
  }

  async #showTakeover(): Promise<void> {
    const { name } = this.#lost;
    const home = await readHome(this.#place, name);
    if (home?.wait === 'asked' && !this.#isOffered) {
      this.#isOffered = true;
      this.#screen.say(
        `the other runner is asked to continue the jobs of ${name}, and fetches its state meanwhile`,
      );
    }
    if (home?.continuedBy == null) return;
    this.continuedBy = home.continuedBy.name;
    this.#screen.say(
      `the window is over: ${this.continuedBy} takes the jobs of ${name} over; a write of ${name} would be refused from now on`,
    );
  }

  #follow(signal: AbortSignal): void {
    const { name } = this.#lost;
    void followJob({
      client: createTeamClient(this.#place, name),
      jobId: this.#jobId,
      after: 0,
      signal,
      wait: (_, stopSignal) => waitAbortable(LOOK_EVERY_MS, stopSignal),
      onFrame: ({ kind, data }) => {
        const runnerName = this.continuedBy ?? name;
        if (kind === 'state') this.#screen.state(data as StateFrame, runnerName);
        if (kind === 'log') this.#screen.log(data as LogFrame, runnerName);
        this.#noteContinuation(data as { at?: string });
      },
    }).catch(() => undefined);
  }

  /** The first frame of a step that was made after the kill. */
  #noteContinuation({ at }: { at?: string }): void {
    if (this.#killedAt === null || this.continuedAfterMs > 0 || at === undefined) return;
    const afterMs = Date.parse(at) - this.#killedAt;
    if (afterMs > 0) this.continuedAfterMs = afterMs;
  }
}
