import { cpSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { readDiffPlaces, explainMissingPlace } from '../../../src/providers/rest/diffPlaces.ts';
import { BitbucketStage, REPO as BITBUCKET_REPO } from '../../support/forges/bitbucketStage.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import type { Fault } from '../../support/forges/fakeForge/server.ts';
import { GithubStage, REPO as GITHUB_REPO } from '../../support/forges/githubStage.ts';
import { GitlabStage, REPO as GITLAB_REPO } from '../../support/forges/gitlabStage.ts';
import { longLane } from '../../support/longLane.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('diffs that a forge does not make');

/** Asked four times, with real waits between them; or like another one. */
const slow = longLane(test);

const LINES = 21_000;
const FILES = {
  'large.txt': Array.from({ length: LINES }, (_, n) => `line ${n}\n`).join(''),
  'ä.txt': 'small\n',
};
const PR = { title: 'A feature', body: '', head: 'feature', base: 'main', author: 'ann' };

interface Server {
  forge: RemoteForge;
  repo: string;
  fault(fault: (request: { method: string; path: string }) => Fault): void;
  end(): Promise<void>;
}

async function github(): Promise<Server> {
  const stage = await GithubStage.open();
  stage.github.state.commit(stage.repo, 'feature', FILES);
  openPr(stage.github.state, stage.repo, PR);
  // As GitHub compares: what the base branch gets meanwhile is no change of the pull request.
  stage.github.state.commit(stage.repo, 'main', { 'other.txt': 'of main\n' });
  const fault: Server['fault'] = (one) => {
    stage.github.fault = one;
  };
  return { forge: stage.forge, repo: GITHUB_REPO, fault, end: () => stage.end() };
}

async function gitlab(): Promise<Server> {
  const stage = await GitlabStage.open();
  const { state } = stage.server;
  state.commit(stage.project, 'feature', FILES);
  const { head: source, base: target, title, author } = PR;
  openMr(state, stage.project, { title, description: '', source, target, author });
  state.commit(stage.project, 'main', { 'other.txt': 'of main\n' });
  const fault: Server['fault'] = (one) => {
    stage.server.fault = one;
  };
  return { forge: stage.forge, repo: GITLAB_REPO, fault, end: () => stage.end() };
}

async function bitbucket(): Promise<Server> {
  const stage = await BitbucketStage.open();
  stage.opened('ann');
  stage.bitbucket.state.commit(stage.repo, 'feature', FILES);
  stage.bitbucket.state.commit(stage.repo, 'main', { 'other.txt': 'of main\n' });
  const fault: Server['fault'] = (one) => {
    stage.bitbucket.fault = one;
  };
  return { forge: stage.forge, repo: BITBUCKET_REPO, fault, end: () => stage.end() };
}

const refusing =
  (status: number, ending: RegExp, body: unknown = { message: 'Sorry' }) =>
  ({ path }: { path: string }): Fault =>
    ending.test(path) ? { status, body } : null;

type Case = [
  name: string,
  open: () => Promise<Server>,
  fault: ReturnType<typeof refusing> | null,
  lane?: (title: string, run: () => Promise<void>) => void,
];

const CASES: readonly Case[] = [
  ['GitHub: more than 20,000 lines', github, null],
  ['GitLab before 17.9', gitlab, refusing(404, /\/raw_diffs$/)],
  ['GitLab: out of time', gitlab, refusing(500, /\/raw_diffs$/), slow],
  ['Bitbucket: too large', bitbucket, refusing(413, /\/diff$/), slow],
  ['Bitbucket: out of time', bitbucket, refusing(555, /\/diff$/), slow],
];

for (const [name, open, fault, lane = test] of CASES)
  lane(`${name}: computed by git from svc's own mirror`, async () => {
    const server = await open();
    try {
      if (fault) server.fault(fault);
      const diff = await server.forge.diff(server.repo, 1);
      assert.match(diff, `+line ${LINES - 1}\n`);
      assert.match(diff, '+++ b/ä.txt');
      assert.not.match(diff, 'of main');
      const at = { path: 'large.txt', line: LINES, startLine: null, side: 'after' as const };
      const comment = { ...at, body: 'x', suggestion: null, replyTo: null };
      assert.is(explainMissingPlace(readDiffPlaces(diff), comment), null);
    } finally {
      await server.end();
    }
  });

test("Bitbucket: the branch of a fork is read from the fork's own repository", async () => {
  const stage = await BitbucketStage.open();
  try {
    stage.opened('ann');
    const { state } = stage.bitbucket;
    const gitDir = `${stage.repo.gitDir}-fork`;
    cpSync(stage.repo.gitDir, gitDir, { recursive: true });
    const fork = state.addRepo('acme/fork');
    fork.gitDir = gitDir;
    const commit = {
      hash: state.commit(fork, 'work', { 'fork.txt': 'of the fork\n' }).slice(0, 12),
    };
    const source = { branch: { name: 'work' }, commit, repository: { full_name: 'acme/fork' } };
    stage.bitbucket.fault = refusing(413, /\/diff$/);
    const forge = stage.makeForge({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!/pullrequests\/1(\?|$)/.test(String(input))) return response;
        return new Response(JSON.stringify({ ...Object(await response.json()), source }));
      },
    });
    assert.match(await forge.diff(BITBUCKET_REPO, 1), '+of the fork');
  } finally {
    await stage.end();
  }
});

test('a pull request that is not there is not looked for in the mirror', async () => {
  const server = await gitlab();
  try {
    const { code, message } = await catchRefusal(() => server.forge.diff(server.repo, 99));
    assert.is(code, 'not-found');
    assert.not.match(message, 'mirror');
  } finally {
    await server.end();
  }
});

test('where the mirror has not got the commits either, both reasons are said', async () => {
  const server = await bitbucket();
  try {
    server.fault(({ path }) =>
      /\/diff$/.test(path)
        ? { status: 413, body: { error: { message: 'It is too large' } } }
        : {
            status: 200,
            body: {
              id: 1,
              source: { branch: { name: 'f' }, commit: { hash: 'abcdefabcdef' } },
              destination: {
                branch: { name: 'main' },
                commit: { hash: '' },
                repository: { full_name: server.repo },
              },
            },
          },
    );
    const { code, message } = await catchRefusal(() => server.forge.diff(server.repo, 1));
    assert.is(code, 'bad-argument');
    assert.match(message, /It is too large\. svc cannot compute the diff from its own mirror/);
  } finally {
    await server.end();
  }
});

test.run();
