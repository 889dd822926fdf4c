import { SvcError } from '../../src/base/errors/errors.ts';
import type { CommandReply, CreatedJob } from '../../src/contract/schema/api/bodies.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { PrStatus } from '../../src/contract/forge/forge.ts';
import type { Runner } from '../../src/contract/runner/runner.ts';
import type { Asker } from '../../src/contract/runner/runnerMethods.ts';
import type { RequestKey } from '../../src/contract/job/requestKey.ts';
import { createRaise } from './capTruths.ts';
import { METRICS_OF } from '../../src/base/spending/budgetScopes.ts';
import type { Chance } from './chance.ts';
import { REPO } from './forge.ts';
import type { Wish } from './ledger.ts';
import type { World } from './world.ts';

/** Most jobs that people start in one simulation. */
const MAX_JOBS = 4;
const PHASES = ['planning', 'coding', 'testing', 'reporting', 'nowhere'];

type Answer = CreatedJob | CommandReply | PrStatus;

/** Sends a request to the runner, once. */
const ask = (
  runner: Runner,
  { kind, target, word, key, shown, raise }: Wish,
  requestKey: RequestKey,
): Promise<Answer> => {
  const number = Number(target);
  const asker: Asker = { by: 'open', requestKey };
  switch (kind) {
    case 'create': {
      const params = {
        repoSlug: REPO,
        description: word,
        ...(word.endsWith('auto') ? { autoApprove: true } : {}),
      };
      return runner.createJob(
        { type: 'job', workflowPath: 'workflows/job.md', params },
        requestKey,
      );
    }
    case 'message':
      return runner.message(target, { message: word }, asker);
    case 'resume':
      return runner.resume(
        target,
        {
          eventKey: word,
          ...(shown === undefined ? {} : { shown }),
          ...(raise ? { budget: raise } : {}),
        },
        asker,
      );
    case 'pause':
      return runner.pause(target, asker);
    case 'cancel':
      return runner.cancel(target, { reason: word }, asker);
    case 'rerun':
      return runner.rerun(target, word, asker);
    case 'comment':
      return runner.commentPullRequest(
        REPO,
        number,
        { author: 'ann', body: `${word} ${key}` },
        asker,
      );
    case 'approve':
      return runner.approvePullRequest(REPO, number, { author: word }, asker);
    case 'merge':
      return runner.mergePullRequest(REPO, number, { author: word }, asker);
  }
};

/** Answers that mean: nothing was done, and asking again will not help. */
const REFUSALS = new Set([
  'not-possible-now',
  'shown-required',
  'not-found',
  'invalid',
  'workflow-invalid',
  'conflict',
  'over-budget',
]);
const LATER = new Set(['stopping', 'store-failed']);

/** The people: they want things, ask until they have an answer, and sometimes do not hear it. */
export class People {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #jobs: number;

  constructor(world: World) {
    this.#world = world;
    this.#chance = world.chance.named('people');
    this.#jobs = world.talkative ? 1 : this.#chance.int(1, MAX_JOBS);
  }

  /** Looks at the jobs from time to time and does something. */
  begin(): void {
    this.#later(10, () =>
      this.#wish('create', '', `the first job${this.#chance.is(0.2) ? ' auto' : ''}`),
    );
    this.#think();
  }

  #think(): void {
    const pause = this.#world.talkative ? 3_000 : 20_000;
    this.#later(this.#world.stormy ? this.#chance.wait(100, pause) : 5_000, () => {
      if (this.#world.stormy) this.#disturb();
      else this.#bringToAnEnd();
      this.#think();
    });
  }

  #later(ms: number, run: () => void): void {
    const { clock } = this.#world;
    clock.at(clock.now() + ms, run);
  }

  #disturb(): void {
    const chance = this.#chance;
    const { life, ledger } = this.#world;
    if (!life?.ready) return;
    const jobs = [...ledger.activities.keys()];
    const wishedJobs = ledger.requested.filter(({ kind }) => kind === 'create').length;
    if (wishedJobs < this.#jobs && chance.is(0.3)) {
      this.#wish('create', '', `job ${wishedJobs}${chance.is(0.2) ? ' auto' : ''}`);
      return;
    }
    if (jobs.length === 0) return;
    const job = life.runner.job(chance.pick(jobs));
    const pr = job.prMappings.at(-1);
    if (this.#world.talkative && chance.is(0.6))
      this.#wish('message', job.id, `look at ${chance.int(1, 9)}`);
    else if (chance.is(0.5)) this.#move(job);
    else if (pr && chance.is(0.6)) this.#review(pr.number, pr.head);
    else if (chance.is(0.35)) this.#wish('message', job.id, 'please look');
    else if (chance.is(0.3)) this.#wish('pause', job.id, '');
    else if (chance.is(0.2)) this.#wish('rerun', job.id, chance.pick(PHASES));
    else if (chance.is(0.06)) this.#wish('cancel', job.id, 'no longer needed');
    else this.#wish('resume', job.id, chance.pick(['approve', 'reject', 'manual-resume', 'go']));
  }

  #review(number: number, head: string): void {
    const chance = this.#chance;
    if (chance.is(0.35)) this.#wish('comment', String(number), 'a question');
    else if (chance.is(0.3)) this.#wish('approve', String(number), chance.pick(['ann', 'bob']));
    else if (chance.is(0.85)) this.#wish('merge', String(number), 'ann');
    else if (this.#world.git.beyondBase(head) > 0) {
      this.#world.note(`#${number} is merged by hand`);
      this.#world.git.merge(head, {
        operationId: null,
        author: 'ann',
        at: this.#world.clock.now(),
      });
    }
  }

  /** What a job that rests waits for. */
  #move(job: Job): void {
    const open = job.prMappings.filter(({ state }) => state === 'open');
    switch (job.parked?.kind) {
      case 'approval':
        // In a storm some forget to say what they have seen, or have seen something older.
        this.#wish(
          'resume',
          job.id,
          'approve',
          this.#world.storm(0.1) ? 'something older' : this.#seen(job),
        );
        break;
      case 'event':
        for (const { number, head } of open) {
          if (this.#world.stormy) this.#review(number, head);
          else this.#wish('merge', String(number), 'ann');
        }
        if (open.length === 0) this.#wish('resume', job.id, 'go');
        break;
      case 'budget':
        this.#raise(job);
        break;
      case 'developer':
      case 'external':
      case 'paused':
        this.#wish('resume', job.id, 'go');
        break;
      default:
        if (this.#world.stormy && job.state.includes('ended.failed'))
          this.#wish('message', job.id, 'try again');
    }
  }

  /** Most wait for a new day, or raise what has stopped the job; in a storm some by too little. */
  #raise({ id, parked }: Job): void {
    const exceeded = parked?.exceeded;
    if (exceeded === undefined || this.#world.storm(0.5)) return;
    const { scope, metric } = exceeded;
    const { ledger, stormy } = this.#world;
    if (stormy) {
      this.#wish('resume', id, 'go', undefined, createRaise([metric], !this.#chance.is(0.3)));
      return;
    }
    const last = ledger.requested.findLast(({ target }) => target === id);
    this.#wish('resume', id, 'go', undefined, createRaise(METRICS_OF[scope], true));
    if (last?.outcome === 'refused') void this.#raiseOthers(id);
  }

  /** Where a second budget is spent, that one has to be raised too. */
  async #raiseOthers(job: string): Promise<void> {
    const { life, ledger, caps } = this.#world;
    for (const scope of ['job', 'repository', 'day', 'week', 'runner'] as const) {
      if (!life?.ready) continue;
      const capped = METRICS_OF[scope].filter((metric) => caps[scope]?.[metric] !== undefined);
      if (capped.length === 0) continue;
      const key = { job, repository: REPO, day: '', week: '', runner: '' }[scope];
      const raise = createRaise(capped, true);
      await life.runner.setBudget(scope, { key, raise }, { by: 'token' });
      ledger.raises.push(raise);
    }
  }

  #bringToAnEnd(): void {
    const { life, ledger } = this.#world;
    for (const [id, activity] of ledger.activities)
      if (life?.ready && activity === 'parked') this.#move(life.runner.job(id));
  }

  #seen(job: Job): string | undefined {
    return this.#world.storm(0.3) ? undefined : job.approval?.shown;
  }

  #wish(
    kind: Wish['kind'],
    target: string,
    word: string,
    shownHash?: string,
    raise?: Wish['raise'],
  ): void {
    const { requested } = this.#world.ledger;
    const same = requested.some(
      (wish) => wish.outcome === 'open' && wish.kind === kind && wish.target === target,
    );
    if (same) return;
    const wish: Wish = {
      key: `wish-${requested.length + 1}`,
      kind,
      target,
      word,
      attempts: 0,
      outcome: 'open' as const,
      answer: '',
      ...(shownHash === undefined ? {} : { shown: shownHash }),
      ...(raise === undefined ? {} : { raise }),
    };
    requested.push(wish);
    this.#world.counts.commands += 1;
    void this.#attempt(wish);
    // Sent twice at once, as an impatient client does.
    if (this.#world.stormy && this.#chance.is(0.1))
      this.#later(this.#chance.wait(1, 500), () => void this.#attempt(wish));
  }

  async #attempt(wish: Wish): Promise<void> {
    if (wish.outcome !== 'open') return;
    const { life } = this.#world;
    const again = () => this.#later(this.#chance.wait(200, 3_000), () => void this.#attempt(wish));
    if (!life?.ready) return again();
    wish.attempts += 1;
    const reported = `${wish.kind} ${wish.target} ${wish.word} (${wish.key}, attempt ${wish.attempts})`;
    try {
      const answer = await Promise.race([
        ask(life.runner, wish, { key: wish.key, bodyHash: wish.key }),
        life.end,
      ]);
      if (this.#world.stormy && this.#chance.is(0.1)) {
        this.#world.note(`${reported}: the answer was lost`);
        return again();
      }
      if (wish.outcome !== 'open') return;
      wish.outcome = 'done';
      if ('seq' in answer) wish.seq = answer.seq;
      if ('receipt' in answer && answer.receipt) wish.receipt = answer.receipt.id;
      this.#world.note(`${reported}: done`);
    } catch (error) {
      if (
        error instanceof SvcError &&
        REFUSALS.has(error.code) &&
        !error.message.includes('still running')
      ) {
        if (wish.outcome !== 'open') return;
        wish.outcome = 'refused';
        wish.answer = error.message;
        this.#world.note(`${reported}: refused, ${error.message}`);
        return;
      }
      const expected =
        error instanceof SvcError
          ? LATER.has(error.code) || error.code === 'conflict'
          : `${error}`.includes('simulated');
      if (!expected)
        this.#world.breaks(
          `every command gets an answer of the documented form; ${reported} got ${error}`,
        );
      again();
    }
  }
}
