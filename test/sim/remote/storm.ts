import { createAccounts } from '../../../src/providers/account/accounts.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { githubSettings } from '../../../src/providers/github/forge/settings.ts';
import { wakeRules } from '../../../src/providers/rest/wakeRules.ts';
import { FakeGithub } from '../../support/forges/fakeGithub/fakeGithub.ts';
import type { FakePr, FakeRepo } from '../../support/forges/fakeGithub/state.ts';
import type { Life } from '../life.ts';
import { overlayOf } from '../overlays.ts';
import { World } from '../world.ts';
import { type Happening, prKey } from './happenings.ts';
import { stormyFetch } from './network.ts';
import { play } from './script.ts';

export interface StormOptions {
  seed: number;
  /** Things that happen to pull requests of live jobs. */
  events: number;
  jobs: number;
  reported?: (line: string) => void;
}

const TOKEN = 'ghp_simulated';
const WEB = 'http://127.0.0.1:1';
const REPOS = 5;
/** Longest way of a request to the forge, its row on disk before it, ms. */
const ON_ITS_WAY_MS = 1_000;

/** Requests that came although the forge had said that it wants none. */
interface Overstepped {
  life: number;
  early: number;
}

/** Everything that outlives a crash of the runner, with a GitHub in it. */
export class ForgeStorm {
  readonly options: StormOptions;
  readonly world: World;
  readonly github: FakeGithub;
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
        overlay: overlayOf(['coding', 'awaiting-merge']),
        runner: { maxConcurrentJobs: Math.max(2, Math.ceil(options.jobs / 4)), sessionMinutes: 60 },
        remote: (life) => this.#remote(life),
      },
    });
    this.github = new FakeGithub(this.world.clock);
    const { state } = this.github;
    state.addUser(TOKEN, 'svc-robot');
    state.lagMs = 3_000;
    for (let n = 1; n <= REPOS; n += 1) state.addRepo(`acme/repo-${n}`);
  }

  /** The slug of the repository that the nth job works in. */
  slugOf = (n: number): string => `acme/repo-${1 + (n % REPOS)}`;

  /**
   * Makes sure that a job's branch is at the forge; answers the number of its pull request, where
   * the runner knows one.
   */
  branch(head: string, jobId: string): number | null {
    const { rows } = this.world.store;
    if (!this.jobOf.has(head)) {
      const { life } = this.world;
      if (!life?.ready) throw new Error('simulated: no runner can be asked for the repository');
      const { state } = this.github;
      state.commit(state.repo(String(life.runner.job(jobId).params.repoSlug)), head, {
        [`${head}.txt`]: 'new\n',
      });
      this.jobOf.set(head, jobId);
    }
    return rows.one('pr_mappings', { job_id: jobId, head })?.number ?? null;
  }

  /** Open pull requests of jobs that have not ended. */
  open(): { repo: FakeRepo; pr: FakePr; jobId: string }[] {
    return this.github.state.repos.flatMap((repo) =>
      repo.prs.flatMap((pr) => {
        const jobId = this.jobOf.get(pr.head);
        const isLive = jobId !== undefined && this.world.ledger.activities.get(jobId) !== 'ended';
        return isLive && pr.state === 'OPEN' && this.isMapped(repo, pr)
          ? [{ repo, pr, jobId }]
          : [];
      }),
    );
  }

  /** Whether the runner knows whose it is. */
  isMapped(repo: FakeRepo, { number }: FakePr): boolean {
    const row = { forge: 'github', repo: `${repo.owner}/${repo.name}`, number };
    return this.world.store.rows.one('pr_mappings', row) !== undefined;
  }

  /** Tells the runner of something that happened to a pull request, as a webhook does. */
  async hook(repo: FakeRepo, pr: FakePr, deliveryId: string): Promise<void> {
    const { life } = this.world;
    if (!life?.ready) return;
    const rawBody = new TextEncoder().encode(`${prKey(repo, pr)} ${deliveryId}`);
    // A runner that dies meanwhile answers nothing.
    await life.runner.webhook('github', { headers: { id: deliveryId }, rawBody }).catch(() => {});
  }

  end(): void {
    this.world.life?.die();
    this.world.store.close();
    this.github.state.remove();
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
    const fetch = stormyFetch(this.github, life, chance, {
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
    const settings = githubSettings({ token: TOKEN, baseUrl: WEB });
    const accountClient = createAccounts({ clock, random, fetch })(
      { host: 'github', secret: TOKEN },
      { perJob: 600 },
    );
    const forge = createGithubForge({
      settings,
      accountClient,
      clock,
      mirrorsDir: '/sim/mirrors',
      selfIsPerson: false,
    });
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
        watch: { github: { intervalMs: 60_000, rules: wakeRules('', '') } },
        problems: {},
        webhooks: {
          github: {
            read: readHook,
            rules: wakeRules('', ''),
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
