import { setTimeout as wait } from 'node:timers/promises';
import type { Client, RequestOptions } from '../../../src/api/client/client.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { CommandLedger } from '../cli/commandLedger.ts';

export const LOAD_REPO = 'titles';

/** Pause between two looks at a job, ms. */
const LOOK_MS = 60;
const MOST_TALK = 3;
/** Longest life of a job of the load, ms: one that lives longer has lost its way. */
const LIFE_MS = 600_000;

export interface LoadJob {
  id: string;
  kind: 'quick' | 'change';
}

/** A person who makes jobs, talks to them and merges their pull requests, one by one. */
export class LoadPerson {
  readonly jobs: LoadJob[] = [];
  readonly #name: string;
  readonly #people: CommandLedger;
  readonly #chance: () => number;
  #keys = 0;

  /** `chance` gives numbers from 0 to 1, from a seed. */
  constructor(name: string, people: CommandLedger, chance: () => number) {
    this.#name = name;
    this.#people = people;
    this.#chance = chance;
  }

  /** Continues until `closing` is true; the last job is brought to its end. */
  async work(closing: () => boolean): Promise<void> {
    while (!closing()) {
      const job = await this.#create();
      await (job.kind === 'quick' ? this.#quick(job) : this.#change(job));
    }
  }

  /** Does a command under a unique key; the key is in what it leaves behind. */
  #do<T>(
    command: string,
    act: (client: Client, once: RequestOptions, key: string) => Promise<T>,
  ): Promise<T | null> {
    this.#keys += 1;
    const key = `${this.#name}.${this.#keys}`;
    return this.#people.command(command, key, (client, once) => act(client, once, key));
  }

  async #create(): Promise<LoadJob> {
    const kind = this.#chance() < 0.5 ? 'quick' : 'change';
    const reply = await this.#do('create', (client, once, key) => {
      const params = { description: key, ...(kind === 'change' ? { repoSlug: LOAD_REPO } : {}) };
      return client.createJob({ type: 'job', workflowPath: `workflows/${kind}.md`, params }, once);
    });
    if (!reply) throw new Error('a job was refused');
    const job: LoadJob = { id: reply.jobId, kind };
    this.jobs.push(job);
    return job;
  }

  async #quick({ id }: LoadJob): Promise<void> {
    if (this.#chance() < 0.4) await this.#message(id);
    if (this.#chance() < 0.2) {
      await this.#pause(id);
      if (this.#chance() < 0.5) await this.#message(id);
    }
    if (this.#chance() < 0.1)
      await this.#do('cancel', (client, once, key) => client.cancel(id, { reason: key }, once));
    await this.#untilEnded(id, () => undefined);
    // Too late: refused, and by promise without any effect.
    if (this.#chance() < 0.2) await this.#message(id);
  }

  async #change({ id }: LoadJob): Promise<void> {
    let talk = Math.floor(this.#chance() * (MOST_TALK + 1));
    await this.#untilEnded(id, async ({ parked, prMappings }) => {
      const open = prMappings.find(({ state }) => state === 'open');
      if (parked?.kind !== 'event' || !open) return;
      if (talk > 0) await this.#talk(id, open.number);
      else {
        await this.#do('merge', (client, once, key) =>
          client.mergePullRequest(LOAD_REPO, open.number, { author: key }, once),
        );
      }
      talk -= 1;
    });
  }

  async #talk(id: string, number: number): Promise<void> {
    const chance = this.#chance();
    if (chance < 0.3) await this.#message(id);
    else if (chance < 0.5) await this.#pause(id);
    else if (chance < 0.8) {
      const author = this.#name;
      await this.#do('comment', (client, once, body) =>
        client.commentPullRequest(LOAD_REPO, number, { author, body }, once),
      );
    } else {
      await this.#do('approve', (client, once, author) =>
        client.approvePullRequest(LOAD_REPO, number, { author }, once),
      );
    }
  }

  #message(id: string): Promise<unknown> {
    return this.#do('message', (client, once, message) => client.message(id, { message }, once));
  }

  #pause(id: string): Promise<unknown> {
    return this.#do('pause', (client, once) => client.pause(id, {}, once));
  }

  /** Watches the job until it ends, resumes it if paused, and does what is next. */
  async #untilEnded(id: string, next: (job: Job) => Promise<void> | undefined): Promise<void> {
    const deadline = Date.now() + LIFE_MS;
    for (;;) {
      const job = await this.#people.ask((client) => client.job(id));
      if (job.ended) return;
      if (Date.now() > deadline)
        throw new Error(`${id} does not come to its end: ${JSON.stringify(job, null, 2)}`);
      if (job.parked?.kind === 'paused') {
        await this.#do('resume', (client, once) =>
          client.resume(id, { eventKey: 'manual-resume' }, once),
        );
      }
      await next(job);
      await wait(LOOK_MS);
    }
  }
}
