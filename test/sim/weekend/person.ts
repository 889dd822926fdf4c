import { toCountedAmount } from '../../../src/base/spending/budgetScopes.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Exceeded } from '../../../src/contract/schema/policy/exceeded.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { World } from '../world.ts';
import type { Endpoint } from './endpoint.ts';
import { CI_FAILS, REPO } from '../forge.ts';
import type { JobPlan, Outside } from './agents/kind.ts';
import { OUTSIDER } from './agents/obeysOutsiders.ts';
import { chooseWorkflowPath } from './overlay.ts';
import { RAISES } from './plan.ts';
import type { WeekendRecord } from './record.ts';

const HOUR_MS = 3_600_000;
/** Hours from the beginning at which the person looks in. */
const LOOKS = [5, 9, 15, 18, 21, 24, 27, 30.5, 39, 42, 46, 49, 52, 55, 58];
/** Wait before a request is made again that the runner's death has left without an answer, ms. */
const AGAIN_MS = 5_000;

/** What the person asks for as it reaches the runner; to prove that a truth notices what does not. */
export type Params = (params: Record<string, unknown>) => Record<string, unknown>;

interface PersonOptions {
  world: World;
  jobs: readonly JobPlan[];
  endpoint: Endpoint;
  record: WeekendRecord;
  params: Params;
}

/**
 * Starts the jobs, writes to agents, and looks in a few times to raise what a budget has stopped.
 */
export class WeekendPerson implements Outside {
  /** The jobs by the names of their plans. */
  readonly jobs = new Map<string, string>();
  readonly #options: PersonOptions;
  readonly #world: World;
  readonly #raised = new Set<string>();
  #asked = 0;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.#world = options.world;
  }

  begin(): void {
    const { clock } = this.#world;
    const start = clock.now();
    for (const plan of this.#options.jobs)
      clock.at(start + plan.at * HOUR_MS, () => void this.#create(plan));
    for (const hours of LOOKS) clock.at(start + hours * HOUR_MS, () => this.#look());
  }

  writes(jobId: string, text: string): void {
    const key = `message ${++this.#asked}`;
    void this.#ask(key, ({ runner }, requestKey) =>
      runner.message(jobId, { message: text }, { by: 'open', requestKey }),
    );
  }

  ciFails(number: number, hours: number): void {
    const { clock } = this.#world;
    const key = `check ${++this.#asked}`;
    const text = `${CI_FAILS} a check has failed`;
    clock.at(
      clock.now() + hours * HOUR_MS,
      () =>
        void this.#ask(key, ({ runner }, requestKey) =>
          runner.commentPullRequest(
            REPO,
            number,
            { author: 'ci', body: text },
            { by: 'open', requestKey },
          ),
        ),
    );
  }

  outsiderSays(number: number, text: string, hours: number): void {
    const { clock } = this.#world;
    const key = `outsider ${number}`;
    clock.at(
      clock.now() + hours * HOUR_MS,
      () =>
        void this.#ask(key, ({ runner }, requestKey) =>
          runner.commentPullRequest(
            REPO,
            number,
            { author: OUTSIDER, body: text },
            { by: 'open', requestKey },
          ),
        ),
    );
  }

  approves(number: number, hours: number): void {
    const { clock, store, git } = this.#world;
    clock.at(clock.now() + hours * HOUR_MS, () => {
      const { head = '' } = store.rows.one('forge_prs', { repo: REPO, number }) ?? {};
      const commit = git.readCommit(head);
      this.#options.record.approved.add(commit);
      void this.#ask(`approve ${commit}`, ({ runner }, requestKey) =>
        runner.approvePullRequest(REPO, number, { author: 'ann' }, { by: 'open', requestKey }),
      );
    });
  }

  async #create(plan: JobPlan): Promise<void> {
    const { name, fansOut, budget, inRepository, until } = plan;
    const body = {
      type: fansOut ? ('campaign' as const) : ('job' as const),
      workflowPath: chooseWorkflowPath(plan),
      params: this.#options.params({
        description: name,
        interactive: false,
        ...(inRepository ? { repoSlug: REPO } : {}),
        ...(budget ? { budget } : {}),
      }),
    };
    const reply = await this.#ask(name, (life, key) => life.runner.createJob(body, key));
    if (!reply) return;
    this.jobs.set(name, reply.jobId);
    if (until !== undefined) await this.#leaveUntil(reply.jobId, until);
  }

  /**
   * Gives a job its last time. A job of agents that are the user's own programs is refused when it is
   * to begin so under caps on dollars; a person may still continue it so.
   */
  async #leaveUntil(id: string, until: string): Promise<void> {
    const { unattended } = this.#options.params({ unattended: { until } });
    await this.#ask(`pause ${id}`, ({ runner }, requestKey) =>
      runner.pause(id, { by: 'open', requestKey }),
    );
    await this.#ask(`until ${id}`, ({ runner }, requestKey) =>
      runner.resume(id, unattended ? { unattended: { until } } : {}, { by: 'open', requestKey }),
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
          const exceeded = error.data.budget as Exceeded;
          this.#options.record.refusals.push({ at: this.#world.clock.now(), name, exceeded });
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
    for (const pool of life.runner.accounts().filter(({ state }) => state === 'billing')) {
      const account = pool.origin.replace(/^https:\/\/|\.example$/g, '');
      this.#options.endpoint.pays(account, clock.now());
      void this.#ask(`open ${pool.id} ${clock.now()}`, ({ runner }, requestKey) =>
        runner.retryAccount({ pool: pool.id }, { by: 'open', requestKey }),
      );
    }
    for (const { id } of store.actors.list({ chart: 'job', limit: 100, offset: 0 }).rows) {
      const job = life.runner.job(id);
      if (job.parked?.exceeded) void this.#raise(job.parked.exceeded, job);
    }
    // Budgets of all jobs may have kept jobs from beginning, and have stopped none.
    for (const { exceeded } of this.#options.record.refusals) void this.#raise(exceeded, null);
  }

  async #raise(
    { scope, key, metric }: Exceeded,
    job: Pick<Job, 'id' | 'description'> | null,
  ): Promise<void> {
    const what = `${scope}.${metric}`;
    const plan = this.#options.jobs.find(({ name }) => name === job?.description);
    const by = RAISES[what] ?? plan?.raises?.[what];
    const budget = `${scope} ${key} ${metric}`;
    if (by === undefined || this.#raised.has(budget)) return;
    this.#raised.add(budget);
    const { record } = this.#options;
    const at = this.#world.clock.now();
    record.raises.push({ at, scope, key, metric, by: toCountedAmount(metric, by) });
    const capped = () => this.#world.store.rows.all('budget_caps');
    const before = capped();
    await this.#ask(`raise ${budget}`, async ({ runner }, requestKey) => {
      const raise = { [metric]: by };
      if (scope === 'repository' || scope === 'campaign')
        await runner.setBudget(scope, { key, raise }, { by: 'open' });
      else if (scope === 'runner' || scope === 'week')
        await runner.setBudget(scope, { raise }, { by: 'open' });
      else if (job) await runner.resume(job.id, { budget: raise }, { by: 'open', requestKey });
    });
    // A resume raises each other budget that is spent and counts the same, such as that of the day.
    for (const row of capped()) {
      const isSame = (one: typeof row) =>
        one.scope === row.scope && one.key === row.key && one.metric === row.metric;
      if (isSame({ ...row, scope, key, metric })) continue;
      const had = before.find((one) => isSame(one) && one.window === row.window)?.raised ?? 0;
      const { window } = row;
      const more = { at, scope: row.scope, key: row.key, metric: row.metric, by: row.raised - had };
      if (job && more.by > 0) record.raises.push(window === '' ? more : { ...more, window });
    }
  }
}
