import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { FakeGithub } from './fakeGithub/fakeGithub.ts';
import type { FakeRepo } from './fakeGithub/state.ts';
import { type ForgeParts, RemoteStage } from './remoteStage.ts';

export const TOKEN = 'ghp_svcsecretsvcsecretsvcsecret';
export const REPO = 'acme/shop';

/** The GitHub forge before a fake with one repository; `ann` is a person who uses it too. */
export class GithubStage extends RemoteStage<FakeGithub> {
  protected readonly token = TOKEN;
  protected readonly api = '/api/v3';

  static async open(clock?: Clock): Promise<GithubStage> {
    const stage = new GithubStage(new FakeGithub(clock), clock);
    stage.github.state.addUser(TOKEN, 'svc-robot');
    stage.github.state.addUser('ann-token', 'ann');
    stage.github.state.addRepo(REPO);
    await stage.github.start();
    return stage;
  }

  get github(): FakeGithub {
    return this.server;
  }

  get repo(): FakeRepo {
    return this.github.state.repo(REPO);
  }

  protected create({ values, ...parts }: ForgeParts): RemoteForge {
    return createGithubForge({
      mayAct: mayAlwaysAct,
      ...parts,
      settings: readGithubSettings(values),
    });
  }
}
