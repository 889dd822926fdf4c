import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { GithubStage, REPO, TOKEN } from '../../support/forges/githubStage.ts';
import {
  accountContract,
  mergeRefusalContract,
  settingsContract,
} from '../../support/forges/remoteForgeContract.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: what it refuses');

const on = (run: (stage: GithubStage) => Promise<void>) => async () => {
  const stage = await GithubStage.open();
  try {
    await run(stage);
  } finally {
    await stage.end();
  }
};

const by = (operationId = 'op') => ({ author: 'svc:job', at: Date.now(), operationId });

/** Opens a pull request of a branch `feature` as its author. */
const openFeaturePr = ({ github, repo }: GithubStage, author = 'ann') => {
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  return openPr(github.state, repo, {
    title: 'A feature',
    body: '',
    head: 'feature',
    base: 'main',
    author,
  });
};

accountContract(test, 'ghp_wrongwrongwrong', async () => {
  const stage = await GithubStage.open();
  return {
    forge: stage.forge,
    repo: REPO,
    withWrongToken: stage.makeForge({ token: 'ghp_wrongwrongwrong' }),
    stopServer: () => stage.server.stop(),
    end: () => stage.end(),
  };
});

test(
  'a missing scope is named, beside those that the token has',
  on(async (stage) => {
    stage.github.state.addUser('reader', 'reader', { scopes: ['read:org'] });
    openFeaturePr(stage);
    const forge = stage.makeForge({ token: 'reader' });
    const { code, message } = await catchRefusal(() =>
      forge.write('post_pr_comment', { repo: REPO, number: 1, body: 'Hello' }, by()),
    );
    assert.is(code, 'forbidden');
    assert.match(message, /It needs one of: repo; it has: read:org\./);
  }),
);

test(
  'a missing repository and one that the token may not see get the same message, since they cannot be distinguished',
  on(async (stage) => {
    stage.github.state.addRepo('acme/secret', { private: true });
    stage.github.state.addUser('reader', 'reader', { scopes: [] });
    const [gone, hidden] = [stage.forge, stage.makeForge({ token: 'reader' })];
    const messages = [
      await catchRefusal(() => gone.pullRequests('acme/none')),
      await catchRefusal(() => hidden.pullRequests('acme/secret')),
      await catchRefusal(() => gone.pullRequest(REPO, 99)),
      await catchRefusal(() => gone.source('acme/none', { fresh: true })),
    ];
    assert.equal(
      messages.map(({ code }) => code),
      ['not-found', 'not-found', 'not-found', 'not-found'],
    );
    assert.match(
      messages[1]?.message ?? '',
      /has no repository acme\/secret, or the token may not see it\.$/,
    );
  }),
);

test(
  'a merge that branch protection keeps back says what is missing',
  on(async (stage) => {
    stage.repo.demandedApprovals = 1;
    openFeaturePr(stage);
    const { code, message, data } = await catchRefusal(() =>
      stage.forge.write('merge_pr', { repo: REPO, number: 1 }, by()),
    );
    assert.equal(code, 'conflict');
    assert.equal(data.reason, 'blocked');
    assert.match(message, /main is protected, and a review or a check that it requires is missing/);
  }),
);

test(
  'no one approves their own pull request',
  on(async (stage) => {
    openFeaturePr(stage, 'svc-robot');
    const { code, message } = await catchRefusal(() =>
      stage.forge.write('approve_pr', { repo: REPO, number: 1 }, by()),
    );
    assert.is(code, 'conflict');
    assert.match(message, /Ask a person/);
  }),
);

test(
  'the limit of requests is an error with the time of its end',
  on(async (stage) => {
    stage.github.limit = 0;
    const error = await catchRefusal(() => stage.forge.pullRequests(REPO));
    assert.is(error.code, 'rate-limited');
    assert.ok(Date.parse(String(error.data.resetsAt)) > Date.now(), String(error.data.resetsAt));
  }),
);

test(
  'GraphQL says with a success that the limit is reached: it is the same error',
  on(async (stage) => {
    openFeaturePr(stage);
    stage.github.limit = 0;
    const error = await catchRefusal(() => stage.forge.pullRequest(REPO, 1));
    assert.is(error.code, 'rate-limited', error.message);
  }),
);

test(
  'after a server failure, the outcome of a write is unknown; an invalid address causes no request',
  on(async (stage) => {
    openFeaturePr(stage);
    stage.github.fault = ({ method }) => (method === 'POST' ? { status: 502 } : null);
    const lost = await catchRefusal(() =>
      stage.forge.write('post_pr_comment', { repo: REPO, number: 1, body: 'Hello' }, by()),
    );
    assert.equal(lost.code, 'unreachable');
    assert.equal(lost.data.sent, true);
    const before = stage.github.seen.length;
    assert.is(
      (await catchRefusal(() => stage.forge.pullRequest('../../etc', 1))).code,
      'bad-argument',
    );
    assert.is(stage.github.seen.length, before);
  }),
);

test('the address of a server is https, but on this machine', () => {
  assert.is(
    readGithubSettings({ token: TOKEN, baseUrl: 'https://git.acme.test/' }).api,
    'https://git.acme.test/api/v3',
  );
  assert.is(
    readGithubSettings({ token: TOKEN, baseUrl: 'http://127.0.0.1:1' }).web,
    'http://127.0.0.1:1',
  );
});

settingsContract(test, TOKEN, readGithubSettings, [
  { baseUrl: 'http://git.acme.test' },
  { baseUrl: 'https://user:secret@git.acme.test' },
  { baseUrl: 'file:///etc' },
  { baseUrl: 'git.acme.test' },
]);

mergeRefusalContract(test, async () => {
  const stage = await GithubStage.open();
  openFeaturePr(stage);
  return {
    forge: stage.forge,
    repo: REPO,
    refuseMerges(message) {
      stage.github.fault = ({ path }) =>
        path.endsWith('/merge') ? { status: 405, body: { message } } : null;
    },
    end: () => stage.end(),
  };
});

test.run();
