import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { createGitlabForge } from '../../../src/providers/gitlab/forge/forge.ts';
import { readGitlabSettings } from '../../../src/providers/gitlab/forge/settings.ts';
import { FakeGitlab } from './fakeGitlab/fakeGitlab.ts';
import type { FakeProject } from './fakeGitlab/state.ts';
import { type ForgeParts, RemoteStage } from './remoteStage.ts';

export const TOKEN = 'glpat-svcsecretsvcsecret';
/** In a group within a group. */
export const REPO = 'acme/web/shop';

/** The GitLab forge before a fake with one project; `ann` is a developer of it. */
export class GitlabStage extends RemoteStage<FakeGitlab> {
  protected readonly token = TOKEN;
  protected readonly api = '/api/v4';

  static async open(clock?: Clock): Promise<GitlabStage> {
    const stage = new GitlabStage(new FakeGitlab(clock), clock);
    const { state } = stage.server;
    state.addUser(TOKEN, 'svc-robot');
    state.addUser('ann-token', 'ann');
    state.addProject(REPO, ['svc-robot', 'ann']);
    await stage.server.start();
    return stage;
  }

  get project(): FakeProject {
    return this.server.state.project(REPO);
  }

  asAnn(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.as('ann-token', method, `/projects/${encodeURIComponent(REPO)}${path}`, body);
  }

  protected create({ values, ...parts }: ForgeParts): RemoteForge {
    return createGitlabForge({
      mayAct: mayAlwaysAct,
      ...parts,
      settings: readGitlabSettings(values),
    });
  }
}
