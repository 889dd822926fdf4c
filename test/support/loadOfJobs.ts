import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from '../../src/schema/job.ts';
import type { CommandLedger } from './commandLedger.ts';

/** Slug of the repository that the load works on. */
export const LOAD_REPO = 'titles';

/** Pause between two looks at a job, ms. */
const LOOK_MS = 60;
/** Most that is said about one pull request before it is merged. */
const MOST_TALK = 3;
/** Longest life of a job of the load, ms: one that lives longer has lost its way. */
const LIFE_MS = 120_000;

/** A job of the load as its person knows it. */
export interface LoadJob {
  id: string;
  kind: 'quick' | 'change';
  /** What was said to it, by Idempotency-Key, which stands in the text. */
  says: { command: string; key: string; number: number | null }[];
}

/** Chance, from a seed. */
export type Chance = () => number;

/** One of the people who make jobs, talk to them and merge their pull requests, one job after the other. */
export class LoadPerson {
  readonly jobs: LoadJob[] = [];
  readonly #name: string;
  readonly #people: CommandLedger;
  readonly #chance: Chance;
  #keys = 0;

  constructor(name: string, people: CommandLedger, chance: Chance) {
    this.#name = name;
    this.#people = people;
    this.#chance = chance;
  }

  /** Goes on until `closing` says so; the last job is brought to its end. */
  async work(closing: () => boolean): Promise<void> {
    while (!closing()) {
      const job = await this.#create();
      await (job.kind === 'quick' ? this.#quick(job) : this.#change(job));
    }
  }

  async #create(): Promise<LoadJob> {
    const kind = this.#chance() < 0.5 ? 'quick' : 'change';
    const key = this.#key();
    const params = { description: key, ...(kind === 'change' ? { repoSlug: LOAD_REPO } : {}) };
    const reply = await this.#people.command('create', key, (client, once) =>
      client.createJob({ type: 'job', workflowPath: `workflows/${kind}.md`, params }, once),
    );
    if (!reply) throw new Error(`the job ${key} was refused`);
    const job: LoadJob = { id: reply.jobId, kind, says: [{ command: 'create', key, number: null }] };
    this.jobs.push(job);
    return job;
  }

  async #quick(job: LoadJob): Promise<void> {
    if (this.#chance() < 0.4) await this.#message(job);
    if (this.#chance() < 0.2) {
      await this.#pause(job);
      if (this.#chance() < 0.5) await this.#message(job);
      await this.#resume(job);
    }
    if (this.#chance() < 0.1) await this.#say(job, 'cancel', null, (key) => (client, once) => client.cancel(job.id, { reason: key }, once));
    await this.#ended(job);
  }

  async #change(job: LoadJob): Promise<void> {
    let talk = Math.floor(this.#chance() * (MOST_TALK + 1));
    await this.#until(job, async ({ parked, prMappings, ended }) => {
      if (ended) return true;
      if (parked?.kind === 'paused') await this.#resume(job);
      const open = prMappings.find(({ state }) => state === 'open');
      if (parked?.kind !== 'event' || !open) return false;
      await this.#talk(job, open.number, talk);
      talk -= 1;
      return false;
    });
  }

  async #talk(job: LoadJob, number: number, left: number): Promise<void> {
    if (left <= 0) {
      await this.#say(job, 'merge', number, (key) => (client, once) => client.mergePullRequest(LOAD_REPO, number, { author: key }, once));
      return;
    }
    const chance = this.#chance();
    if (chance < 0.3) await this.#message(job);
    else if (chance < 0.6) {
      await this.#say(job, 'comment', number, (key) => (client, once) => client.commentPullRequest(LOAD_REPO, number, { author: this.#name, body: key }, once));
    } else if (chance < 0.8) {
      await this.#say(job, 'approve', number, (key) => (client, once) => client.approvePullRequest(LOAD_REPO, number, { author: key }, once));
    } else await this.#pause(job);
  }
