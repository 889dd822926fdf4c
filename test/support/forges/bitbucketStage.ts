import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { createBitbucketForge } from '../../../src/providers/bitbucket/forge/forge.ts';
import { readBitbucketSettings } from '../../../src/providers/bitbucket/forge/settings.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { FakeBitbucket } from './fakeBitbucket/fakeBitbucket.ts';
import type { FakePr, FakeRepo } from './fakeBitbucket/state.ts';
import { unscreened } from '../standIns/unscreened.ts';

export const TOKEN = 'ATATTsvcsecretsvcsecretsvcsecret';
export const REPO = 'acme/shop';

/** The Bitbucket forge before a fake with one repository; `ann` is a person who uses it too. */
export class BitbucketStage {
  readonly bitbucket: FakeBitbucket;
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-bitbucket-forge-'));
  readonly #clock: Clock;
  #forge: RemoteForge | null = null;

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.bitbucket = new FakeBitbucket(clock);
  }

  static async open(clock: Clock = systemClock): Promise<BitbucketStage> {
    const stage = new BitbucketStage(clock);
    const { state } = stage.bitbucket;
    state.addUser(TOKEN, 'svc-robot', { workspace: 'acme' });
    state.addUser('ann-token', 'ann', { workspace: 'acme' });
    state.addRepo(REPO);
    await stage.bitbucket.start();
    return stage;
  }

  get repo(): FakeRepo {
    return this.bitbucket.state.repo(REPO);
  }

  get forge(): RemoteForge {
    this.#forge ??= this.makeForge();
    return this.#forge;
  }

  /** A forge as a runner that starts now has it. `username` empty: the token is an access token. */
  makeForge(
    options: {
      token?: string;
      username?: string;
      perJob?: number;
      values?: Record<string, string>;
      selfIsPerson?: boolean;
      fetch?: typeof globalThis.fetch;
    } = {},
  ): RemoteForge {
    const {
      token = TOKEN,
      username = 'svc-robot@acme.test',
      perJob = 600,
      values = {},
      selfIsPerson = false,
      fetch = globalThis.fetch,
    } = options;
    return createBitbucketForge({
      mayAct: mayAlwaysAct,
      settings: readBitbucketSettings({ token, username, baseUrl: this.bitbucket.url, ...values }),
      accountClient: new AccountClient({
        mayAct: mayAlwaysAct,
        screen: unscreened,
        host: 'the fake',
        clock: this.#clock,
        random: () => 0.5,
        fetch,
        perJob,
        writeGapMs: 0,
      }),
      clock: this.#clock,
      mirrorsDir: join(this.dir, 'mirrors'),
      selfIsPerson,
    });
  }

  opened(author = 'svc-robot'): FakePr {
    const { state } = this.bitbucket;
    state.commit(this.repo, 'feature', { 'feature.txt': 'new\n' });
    return state.openPr(this.repo, {
      title: 'A feature',
      description: '',
      head: 'feature',
      base: 'main',
      author,
    });
  }

  async end(): Promise<void> {
    await this.bitbucket.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
