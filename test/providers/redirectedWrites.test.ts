import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgeOperation, ForgeOperations } from '../../src/contract/forge/forge.ts';
import type { RemoteForge } from '../../src/contract/forge/remoteForge.ts';
import { BitbucketStage } from '../support/forges/bitbucketStage.ts';
import type { Fault } from '../support/forges/fakeForge/server.ts';
import { openMr } from '../support/forges/fakeGitlab/mergeRequests.ts';
import { openPr } from '../support/forges/fakeGithub/pulls.ts';
import { GithubStage } from '../support/forges/githubStage.ts';
import { GitlabStage } from '../support/forges/gitlabStage.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('writes to remote forges that are not done');

interface Stage {
  forge: RemoteForge;
  repo: string;
  faults(fault: (method: string) => Fault): void;
  end(): Promise<void>;
}

/** Stages with one open pull request of another user, number 1. */
const STAGES: Readonly<Record<string, () => Promise<Stage>>> = {
  async github() {
    const stage = await GithubStage.open();
    stage.github.state.commit(stage.repo, 'feature', { 'feature.txt': 'new\n' });
    stage.github.state.commit(stage.repo, 'other', { 'other.txt': 'new\n' });
    openPr(stage.github.state, stage.repo, {
      title: 'T',
      body: '',
      head: 'feature',
      base: 'main',
      author: 'ann',
    });
    const faults: Stage['faults'] = (fault) =>
      (stage.github.fault = ({ method, path }) => (path === '/graphql' ? null : fault(method)));
    return { forge: stage.forge, repo: 'acme/shop', faults, end: () => stage.end() };
  },
  async gitlab() {
    const stage = await GitlabStage.open();
    const { state } = stage.server;
    state.commit(stage.project, 'feature', { 'feature.txt': 'new\n' });
    state.commit(stage.project, 'other', { 'other.txt': 'new\n' });
    openMr(state, stage.project, {
      title: 'T',
      description: '',
      source: 'feature',
      target: 'main',
      author: 'ann',
    });
    const faults: Stage['faults'] = (fault) => (stage.server.fault = ({ method }) => fault(method));
    return { forge: stage.forge, repo: 'acme/web/shop', faults, end: () => stage.end() };
  },
  async bitbucket() {
    const stage = await BitbucketStage.open();
    stage.opened('ann');
    stage.bitbucket.state.commit(stage.repo, 'other', { 'other.txt': 'new\n' });
    const faults: Stage['faults'] = (fault) =>
      (stage.bitbucket.fault = ({ method }) => fault(method));
    return { forge: stage.forge, repo: 'acme/shop', faults, end: () => stage.end() };
  },
};

const ELSEWHERE = { location: 'http://elsewhere.invalid/', 'content-type': 'application/json' };
const BODY = { message: 'Temporary Redirect', url: 'http://elsewhere.invalid/' };

for (const [name, open] of Object.entries(STAGES)) {
  const each = async (
    check: (what: string, ask: () => Promise<unknown>, stage: Stage) => Promise<void>,
  ) => {
    const stage = await open();
    const { forge, repo } = stage;
    const pr = { repo, number: 1 };
    const write = <K extends ForgeOperation>(operation: K, args: ForgeOperations[K]) =>
      forge.write(operation, args, {
        author: 'svc:job',
        at: Date.now(),
        operationId: `op-${operation}`,
      });
    const opened = {
      repo,
      head: 'other',
      base: 'main',
      title: 'T',
      body: '',
      checkoutDir: '',
      workItem: null,
    };
    try {
      await check(
        'post_pr_comment',
        () => write('post_pr_comment', { ...pr, body: 'Hello.' }),
        stage,
      );
      await check('approve_pr', () => write('approve_pr', pr), stage);
      await check('create_pr', () => write('create_pr', opened), stage);
      await check(
        'create_repo',
        () =>
          write('create_repo', {
            repo: repo.replace('shop', 'new'),
            description: '',
            private: true,
          }),
        stage,
      );
      await check('merge_pr', () => write('merge_pr', pr), stage);
    } finally {
      await stage.end();
    }
  };

  test(`${name}: a write that is redirected to another server, or twice, is an error and not reported as done (TOOL-6)`, () =>
    each(async (what, ask, stage) => {
      for (const [status, location] of [
        [301, ELSEWHERE.location],
        [302, ELSEWHERE.location],
        [307, ELSEWHERE.location],
        [308, ELSEWHERE.location],
        [307, '/round/and/round'],
      ] as const) {
        const headers = { ...ELSEWHERE, location };
        stage.faults((method) =>
          method === 'GET' ? null : { status, headers, body: { ...BODY, url: location } },
        );
        const { code, message, data } = await catchRefusal(ask);
        assert.equal(code, 'config-invalid', `${what} ${status}: ${message}`);
        assert.equal(data.sent, undefined, `${what} ${status}: ${message}`);
      }
    }));

  test(`${name}: an answer that does not show that a write was done leaves that open, so it is looked for (TOOL-6)`, () =>
    each(async (what, ask, stage) => {
      for (const body of [{}, [], null, { message: 'ok' }]) {
        stage.faults((method) => (method === 'GET' ? null : { status: 200, body }));
        const { code, message, data } = await catchRefusal(ask);
        assert.equal(code, 'unreachable', `${what} ${JSON.stringify(body)}: ${message}`);
        assert.equal(data.sent, true, `${what} ${JSON.stringify(body)}: ${message}`);
      }
    }));
}

test.run();
