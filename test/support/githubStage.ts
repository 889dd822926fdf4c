import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { Door } from '../../src/scm/broker/door.ts';
import type { RemoteForge } from '../../src/scm/broker/remoteForge.ts';
import { createGithubForge } from '../../src/scm/github/forge.ts';
import { githubSettings } from '../../src/scm/github/settings.ts';
import { FakeGithub } from './fakeGithub/fakeGithub.ts';
import type { FakeRepo } from './fakeGithub/state.ts';

export const TOKEN = 'ghp_svcsecretsvcsecretsvcsecret';
export const REPO = 'acme/shop';

/** The product's GitHub forge in front of a fake GitHub with one repository; `ann` is a person who uses it too. */
export class GithubStage {
  readonly github: FakeGithub;
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-github-forge-'));
  readonly #clock: Clock;
  #forge: RemoteForge | null = null;

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.github = new FakeGithub(clock);
  }

  static async open(clock: Clock = systemClock): Promise<GithubStage> {
    const stage = new GithubStage(clock);
    stage.github.state.addUser(TOKEN, 'svc-robot');
    stage.github.state.addUser('ann-token', 'ann');
    stage.github.state.addRepo(REPO);
    await stage.github.start();
    return stage;
  }

  get repo(): FakeRepo {
    return this.github.state.repo(REPO);
  }

  get forge(): RemoteForge {
    this.#forge ??= this.makeForge();
    return this.#forge;
  }

  /** A forge as a runner that starts now has it. */
  makeForge(options: { token?: string; perJob?: number; values?: Record<string, string> } = {}): RemoteForge {
    const { token = TOKEN, perJob = 600, values = {} } = options;
    return createGithubForge({
      settings: githubSettings({ token, baseUrl: this.github.url, ...values }),
      door: new Door({ host: 'the fake', clock: this.#clock, random: () => 0.5, fetch: globalThis.fetch, perJob, writeGapMs: 0 }),
      clock: this.#clock,
      mirrorsDir: join(this.dir, 'mirrors'),
      selfIsPerson: false,
    });
  }

  /** Asks the REST API as a person. */
  async as(token: string, method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.github.url}/api/v3${path}`, {
      method,
      headers: { authorization: `token ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async end(): Promise<void> {
    await this.github.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
