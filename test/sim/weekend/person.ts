import { counted } from '../../../src/domain/budgetScopes.ts';
import { SvcError } from '../../../src/lib/errors.ts';
import type { Job } from '../../../src/schema/job.ts';
import type { World } from '../world.ts';
import type { Endpoint } from './endpoint.ts';
import { FAN_OUT_PATH, workflowPath } from './overlay.ts';
import { JOBS, type JobPlan, RAISES } from './plan.ts';
import type { WeekendRecord } from './record.ts';
import { REPO } from '../forge.ts';

const HOUR_MS = 3_600_000;
/** Hours from the beginning at which the person looks in. */
const LOOKS = [5, 15, 21, 27, 39, 46, 52, 57];
/** Wait before a request is made again that the runner's death has left without an answer, ms. */
const AGAIN_MS = 5_000;

/** Starts the jobs, and looks in a few times to raise what a budget has stopped. */
export class WeekendPerson {
  /** The jobs by the names of their plans. */
  readonly jobs = new Map<string, string>();
  readonly #world: World;
  readonly #endpoint: Endpoint;
  readonly #record: WeekendRecord;
  readonly #raised = new Set<string>();

  constructor(world: World, endpoint: Endpoint, record: WeekendRecord) {
    this.#world = world;
    this.#endpoint = endpoint;
    this.#record = record;
  }

  begin(): void {
    const { clock } = this.#world;
    const start = clock.now();
    for (const plan of JOBS) clock.at(start + plan.at * HOUR_MS, () => void this.#create(plan));
    for (const hours of LOOKS) clock.at(start + hours * HOUR_MS, () => this.#look());
  }

  async #create(plan: JobPlan): Promise<void> {
    const { name, account, does, budget, inRepository, until } = plan;
    const fansOut = does === 'fanOut';
    const body = {
      type: fansOut ? 'campaign' : 'job',
      workflowPath: fansOut ? FAN_OUT_PATH : workflowPath(account),
      params: {
        description: name,
        interactive: false,
        ...(inRepository ? { repoSlug: REPO } : {}),
        ...(budget ? { budget } : {}),
      },
    };
    const made = await this.#ask(name, (life, key) => life.runner.createJob(body, key));
    if (!made) return;
    this.jobs.set(name, made.jobId);
    if (until !== undefined) await this.#leaveUntil(made.jobId, until);
  }

  /**
   * Gives a job its last time. A job of agents that are the user's own programs is refused when it is
   * to begin so under caps on dollars; a person may still continue it so.
   */
  async #leaveUntil(id: string, until: string): Promise<void> {
    await this.#ask(`pause ${id}`, ({ runner }, request) => runner.pause(id, request));
    await this.#ask(`until ${id}`, ({ runner }, request) =>
      runner.resume(id, { unattended: { until } }, request, 'open'),
    );
  }

  /** Asks until there is an answer, with the same key; undefined = it was refused. */
  async #ask<Answer>(
    name: string,
    ask: (
      life: NonNullable<World['life']>,
      key: { key: string; bodyHash: string },
    ) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    for (;;) {
      const { life } = this.#world;
      try {
        if (life?.ready)
          return await Promise.race([ask(life, { key: name, bodyHash: name }), life.end]);
      } catch (error) {
        if (error instanceof SvcError && error.code !== 'stopping') {
          this.#world.note(`${name} is refused: ${error.message}`);
          // A budget of all jobs is spent for now: it is asked again when its window has gone by.
          if (error.code !== 'over-budget') return undefined;
          await this.#wait(HOUR_MS);
        }
      }
      await this.#wait(AGAIN_MS);
    }
  }

  #wait(ms: number): Promise<void> {
    const { clock } = this.#world;
    return new Promise((resolve) => clock.at(clock.now() + ms, resolve));
  }

  #look(): void {
    const { life, clock, store } = this.#world;
    if (!life?.ready) return void clock.at(clock.now() + AGAIN_MS, () => this.#look());
    for (const pool of life.runner.pools().filter(({ state }) => state === 'billing')) {
      const account = pool.origin.replace(/^https:\/\/|\.example$/g, '');
      this.#endpoint.pays(account, clock.now());
      void this.#ask(`open ${pool.id} ${clock.now()}`, ({ runner }) => runner.openPool(pool.id));
    }
    for (const { id } of store.actors.list({ chart: 'job', limit: 100, offset: 0 }).rows)
      void this.#raise(life.runner.job(id));
  }

  async #raise({ id, description, parked }: Job): Promise<void> {
    const { exceeded } = parked ?? {};
    if (!exceeded) return;
    const { scope, key, metric } = exceeded;
    const what = `${scope}.${metric}`;
    const plan = JOBS.find(({ name }) => name === description);
    const by = RAISES[what] ?? plan?.raises?.[what];
    const budget = `${scope} ${key} ${metric}`;
    if (by === undefined || this.#raised.has(budget)) return;
    this.#raised.add(budget);
    this.#record.raises.push({
      at: this.#world.clock.now(),
      scope,
      key,
      metric,
      by: counted(metric, by),
    });
    await this.#ask(`raise ${budget}`, async ({ runner }, request) => {
      const raise = { [metric]: by };
      if (scope === 'repository' || scope === 'campaign')
        await runner.setBudget(scope, { key, raise }, 'open');
      else if (scope === 'runner') await runner.setBudget(scope, { raise }, 'open');
      else await runner.resume(id, { budget: raise }, request, 'open');
    });
  }
}
