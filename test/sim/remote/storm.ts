import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { createAccounts } from '../../../src/providers/account/accounts.ts';
import { parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';
import type { Life } from '../life.ts';
import { createOverlay } from '../overlays.ts';
import { World } from '../world.ts';
import { bitbucketInStorm } from './bitbucketInStorm.ts';
import { githubInStorm } from './githubInStorm.ts';
import { gitlabInStorm } from './gitlabInStorm.ts';
import { stormyFetch } from './network.ts';
import { play } from './script.ts';
import { type Happening, prKey, REPOS, type StormForge, type StormPr } from './stormForge.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';
import { noRemote } from '../../support/standIns/noRunnerGates.ts';

/** The forges that can be in a storm. */
export const STORM_FORGES = {
  github: githubInStorm,
  gitlab: gitlabInStorm,
  bitbucket: bitbucketInStorm,
} as const;

export interface StormOptions {
  forge: StormForge['id'];
  seed: number;
  /** Things that happen to pull requests of live jobs. */
  events: number;
  jobs: number;
  reported?: (line: string) => void;
}

/** Longest way of a request to the forge, its row on disk before it, ms. */
const ON_ITS_WAY_MS = 1_000;

/** Requests that came although the forge had said that it wants none. */
interface Overstepped {
  life: number;
  early: number;
}

/** Everything that outlives a crash of the runner, with a forge in it. */
export class ForgeStorm {
  readonly options: StormOptions;
  readonly world: World;
  readonly forge: StormForge;
  readonly happenings: Happening[] = [];
  /** By the name of the branch. */
  readonly jobOf = new Map<string, string>();
  readonly overstepped: Overstepped[] = [];
  readonly #quiet = new Map<Life, { from: number; until: number }>();

  constructor(options: StormOptions) {
    this.options = options;
    const { seed, reported } = options;
    this.world = new World({
      seed,
      play: play(this),
      ...(reported ? { reported } : {}),
      stage: {
        overlay: createOverlay(['coding', 'awaiting-merge']),
        runner: { maxConcurrentJobs: Math.max(2, Math.ceil(options.jobs / 4)), sessionMinutes: 60 },
        remote: (life) => this.#remote(life),
      },
    });
    this.forge = STORM_FORGES[options.forge](this.world.clock);
  }

  /** The slug of the repository that the nth job works in. */
  slugOf = (n: number): string => REPOS[n % REPOS.length] ?? '';

  /** A tool of this forge. */
  tool = (name: string): string => `${this.forge.id}_${name}`;

  /**
   * Makes sure that a job's branch is at the forge; answers the number of its pull request, where
   * the runner knows one.
   */
  branch(head: string, jobId: string): number | null {
    const { rows } = this.world.store;
    if (!this.jobOf.has(head)) {
      const { life } = this.world;
      if (!life?.ready) throw new Error('simulated: no runner can be asked for the repository');
      this.forge.commit(String(life.runner.job(jobId).params.repoSlug), head);
      this.jobOf.set(head, jobId);
    }
    return rows.one('pr_mappings', { job_id: jobId, head })?.number ?? null;
  }

  /** Open pull requests of jobs that have not ended. */
  open(): StormPr[] {
    return this.forge.prs().filter((pr) => {
      const jobId = this.jobOf.get(pr.head);
      const isLive = jobId !== undefined && this.world.ledger.activities.get(jobId) !== 'ended';
      return isLive && pr.isOpen && this.isMapped(pr);
    });
  }

  /** Whether the runner knows whose it is. */
  isMapped({ repo, number }: StormPr): boolean {
    const row = { forge: this.forge.id, repo, number };
    return this.world.store.rows.one('pr_mappings', row) !== undefined;
  }

  /** Tells the runner of something that happened to a pull request, as a webhook does. */
  async hook(pr: StormPr, deliveryId: string): Promise<void> {
    const { life } = this.world;
    if (!life?.ready) return;
    const rawBody = new TextEncoder().encode(`${prKey(pr)} ${deliveryId}`);
    // A runner that dies meanwhile answers nothing.
    await life.runner
      .webhook(this.forge.id, { headers: { id: deliveryId }, rawBody })
      .catch(() => {});
  }

  end(): void {
    this.world.life?.die();
    this.world.store.close();
    this.forge.remove();
  }

  #remote(life: Life) {
    const { world } = this;
    const chance = world.chance.named(`life ${life.number} network`);
    const random = () => chance.int(0, 999) / 1000;
    const clock = {
      now: () => world.clock.now(),
      at: (atMs: number, run: () => void) =>
        world.clock.at(Math.ceil(atMs), () => life.alive && run()),
    };
    const over: Overstepped = { life: life.number, early: 0 };
    this.overstepped.push(over);
    const fetch = stormyFetch(this.forge, life, chance, {
      came: () => {
        const quiet = this.#quiet.get(life);
        if (quiet && world.clock.now() > quiet.from && world.clock.now() < quiet.until)
          over.early += 1;
      },
      mayNotBefore: (_life, until) => {
        const now = world.clock.now();
        const known = this.#quiet.get(life);
        // What was on its way when the refusal came is no fault.
        const from = known && known.until > now ? known.from : now + ON_ITS_WAY_MS;
        this.#quiet.set(life, { from, until: Math.max(until, known?.until ?? 0) });
      },
    });
    const accountClient = createAccounts({
      mayAct: mayAlwaysAct,
      screen: unscreened,
      clock,
      random,
      fetch,
    })({ host: this.forge.id, secret: 'simulated' }, { perJob: 600 });
    const forge = this.forge.create(accountClient, clock);
    return {
      forges: [
        {
          ...forge,
          // The branches are at the forge: git has simulations of its own.
          write: (async (operation, args, actor) =>
            forge.write(
              operation,
              'checkoutDir' in args ? { ...args, checkoutDir: '' } : args,
              actor,
            )) as typeof forge.write,
        },
      ],
      settings: {
        ...noRemote,
        watch: { [forge.id]: { intervalMs: 60_000, rules: parseWakeRules('', '') } },
        webhooks: {
          [forge.id]: {
            read: readHook,
            rules: parseWakeRules('', ''),
            selfIsPerson: false,
            ownIds: async () => [],
          },
        },
        random,
      },
    };
  }
}

/** A delivery of the simulation: verified webhooks have tests of their own. */
const readHook = ({
  headers,
  rawBody,
}: {
  headers: Readonly<Record<string, unknown>>;
  rawBody: Uint8Array;
}) => {
  const [repo = '', number] = new TextDecoder().decode(rawBody).split(/[# ]/);
  return { id: String(headers.id), subject: { repo, numbers: [Number(number)] }, event: null };
};
