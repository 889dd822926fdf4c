import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import {
  readGitlabSettings,
  resolveGitlabPath,
} from '../../../src/providers/gitlab/forge/settings.ts';
import { openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { GitlabStage, REPO, TOKEN } from '../../support/forges/gitlabStage.ts';
import { accountContract, settingsContract } from '../../support/forges/remoteForgeContract.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm gitlab: what it refuses');

const on = (run: (stage: GitlabStage) => Promise<void>) => async () => {
  const stage = await GitlabStage.open();
  try {
    await run(stage);
  } finally {
    await stage.end();
  }
};

const by = (operationId = 'op') => ({ author: 'svc:job', at: Date.now(), operationId });

/** Opens a merge request of a branch `feature` as its author. */
const openFeatureMr = ({ server: { state }, project }: GitlabStage, author = 'ann') => {
  state.commit(project, 'feature', { 'feature.txt': 'new\n' });
  return openMr(state, project, {
    title: 'A feature',
    description: '',
    source: 'feature',
    target: 'main',
    author,
  });
};

accountContract(test, 'glpat-wrongwrong', async () => {
  const stage = await GitlabStage.open();
  return {
    forge: stage.forge,
    repo: REPO,
    withWrongToken: stage.makeForge({ token: 'glpat-wrongwrong' }),
    stopServer: () => stage.server.stop(),
    end: () => stage.end(),
  };
});

test(
  'a missing scope is named, as GitLab names it',
  on(async (stage) => {
    stage.server.state.addUser('reader', 'svc-robot', { scopes: ['read_api'] });
    openFeatureMr(stage);
    const forge = stage.makeForge({ token: 'reader' });
    assert.is((await forge.pullRequest(REPO, 1)).title, 'A feature');
    const write = () =>
      forge.write('post_pr_comment', { repo: REPO, number: 1, body: 'Hello' }, by());
    const { code, message } = await catchRefusal(write);
    assert.is(code, 'forbidden');
    assert.match(message, /It needs one of: api\. .*higher privileges/);
    stage.server.state.addUser('less', 'svc-robot', { scopes: ['read_user'] });
    const read = await catchRefusal(() => stage.makeForge({ token: 'less' }).pullRequest(REPO, 1));
    assert.match(read.message, /It needs one of: api, read_api\./);
  }),
);

test(
  'a missing project and one that the token may not see get the same message; one that may only be read gets another',
  on(async (stage) => {
    const { state } = stage.server;
    state.addProject('acme/secret', []);
    state.commit(state.addProject('acme/open', [], { visibility: 'public' }), 'feature', {
      'a.txt': 'a\n',
    });
    const messages = [
      await catchRefusal(() => stage.forge.pullRequests('acme/none')),
      await catchRefusal(() => stage.forge.pullRequests('acme/secret')),
      await catchRefusal(() => stage.forge.pullRequest(REPO, 99)),
      await catchRefusal(() => stage.forge.source('acme/secret', { fresh: true })),
    ];
    assert.equal(
      messages.map(({ code }) => code),
      ['not-found', 'not-found', 'not-found', 'not-found'],
    );
    assert.match(
      messages[1]?.message ?? '',
      /has no repository acme\/secret, or the token may not see it\.$/,
    );
    const creation = {
      repo: 'acme/open',
      head: 'feature',
      base: 'main',
      title: 'T',
      body: '',
      checkoutDir: '',
      workItem: null,
    };
    assert.is(
      (await catchRefusal(() => stage.forge.write('create_pr', creation, by()))).code,
      'forbidden',
    );
  }),
);

test(
  'a push to a branch that is protected is refused in words that help',
  on(async (stage) => {
    stage.server.state.protect(stage.project, 'release');
    const source = await stage.forge.source(REPO, { fresh: true });
    assert.ok(source);
    const jobDir = join(stage.dir, 'job');
    const { absDir } = await ensureCheckout({
      repoPath: source.path,
      jobDir,
      slug: REPO,
      baseBranch: 'main',
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: absDir, stdio: 'pipe' });
    git('switch', '--quiet', '-c', 'release');
    writeFileSync(join(absDir, 'a.txt'), 'a\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'A change');
    const creation = {
      repo: REPO,
      head: 'release',
      base: '',
      title: 'T',
      body: '',
      checkoutDir: absDir,
      workItem: null,
    };
    const { code, message } = await catchRefusal(() =>
      stage.forge.write('create_pr', creation, by()),
    );
    assert.is(code, 'conflict');
    assert.match(
      message,
      /protects this branch of acme\/web\/shop: use a branch of your own\. .*not allowed to push code to protected/s,
    );
    assert.not.match(message, /glpat/);
  }),
);

test(
  'no one approves their own merge request; an earlier approval is returned',
  on(async (stage) => {
    openFeatureMr(stage, 'svc-robot');
    const approve = () => stage.forge.write('approve_pr', { repo: REPO, number: 1 }, by());
    const { code, message } = await catchRefusal(approve);
    assert.is(code, 'conflict');
    assert.match(message, /does not let svc-robot approve gitlab:acme\/web\/shop#1.*Ask a person/);
    stage.server.state.mr(REPO, 1).author = 'ann';
    assert.equal((await approve()).result.existing, false);
    assert.equal((await approve()).result.existing, true);
    assert.is(stage.server.writes(/approve$/), 1);
  }),
);

test('the limit of a minute is waited out; a longer one is an error with the time of its end; the budget shows what is left', async () => {
  const clock = new SimulatedClock();
  const stage = await GitlabStage.open(clock);
  const { server } = stage;
  try {
    server.limit = 2;
    await stage.forge.self();
    await stage.forge.pullRequests(REPO);
    const limits = { resource: 'core', limit: 2, remaining: 0 };
    assert.equal(
      stage.forge
        .budget()
        .limits.map(({ resource, limit, remaining }) => ({ resource, limit, remaining })),
      [limits],
    );
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    const third = stage.forge.pullRequests(REPO);
    await until(() => clock.waiting > 0);
    assert.is(server.seen.length, 2, 'nothing is sent while nothing is left');
    server.limit = 100;
    clock.advance(61_000);
    await third;
    let refusals = 1;
    server.fault = () =>
      refusals-- > 0
        ? { status: 429, headers: { 'retry-after': '20' }, body: 'Retry later\n' }
        : null;
    const fourth = stage.forge.pullRequests(REPO);
    await until(() => stage.forge.budget().waitsUntil !== null);
    clock.advance(21_000);
    await fourth;
    assert.equal(
      server.seen.map(({ status }) => status),
      [200, 200, 304, 429, 304],
    );
    server.fault = () => ({
      status: 429,
      headers: { 'retry-after': '600' },
      body: 'Retry later\n',
    });
    const { code, data } = await catchRefusal(() => stage.forge.pullRequests(REPO));
    assert.is(code, 'rate-limited');
    const wait = Date.parse(String(data.resetsAt)) - clock.now();
    assert.ok(wait > 590_000 && wait < 610_000, String(wait));
  } finally {
    await stage.end();
  }
});

test(
  'after a server failure, the outcome of a write is unknown; an invalid address causes no request; a page is not taken for data',
  on(async (stage) => {
    openFeatureMr(stage);
    stage.server.fault = ({ method }) =>
      method === 'POST' ? { status: 502, body: '<html>Bad gateway</html>' } : null;
    const comment = { repo: REPO, number: 1, body: 'Hello' };
    const lost = await catchRefusal(() => stage.forge.write('post_pr_comment', comment, by()));
    assert.equal(lost.code, 'unreachable');
    assert.equal(lost.data.sent, true);
    stage.server.fault = () => ({ status: 200, body: '<html>Sign in</html>' });
    const page = await catchRefusal(() => stage.forge.pullRequest(REPO, 1));
    assert.is(page.code, 'unreachable');
    assert.match(
      page.message,
      /Check the address of the server\. It answers: a page of HTML \("Sign in"\)/,
    );
    const before = stage.server.seen.length;
    for (const slug of ['../../etc', 'shop', 'acme/../x', 'acme/shop.git']) {
      assert.is((await catchRefusal(() => stage.forge.pullRequest(slug, 1))).code, 'bad-argument');
    }
    assert.is(stage.server.seen.length, before);
  }),
);

test('a project may lie in groups of any depth; one without a group is of the workspace', () => {
  const path = (slug: string, workspace = '') => resolveGitlabPath({ workspace }, slug);
  assert.equal(path('acme/shop'), 'acme/shop');
  assert.equal(path('a/b/c/d/shop'), 'a/b/c/d/shop');
  assert.equal(path('shop'), null);
  assert.equal(path('shop', 'acme/web'), 'acme/web/shop');
  assert.equal(path('other/shop', 'acme/web'), 'other/shop');
  assert.equal(
    [
      '',
      '/shop',
      'acme/',
      'acme//shop',
      'acme/sh op',
      '-x/shop',
      'acme/feed.atom',
      'acme/.hidden',
    ].map((slug) => path(slug)),
    [null, null, null, null, null, null, null, null],
  );
});

test('the address of a server is https, but on this machine', () => {
  assert.is(readGitlabSettings({ token: TOKEN }).api, 'https://gitlab.com/api/v4');
  assert.is(
    readGitlabSettings({ token: TOKEN, baseUrl: 'https://git.acme.test/gitlab/' }).api,
    'https://git.acme.test/gitlab/api/v4',
  );
  assert.is(
    readGitlabSettings({ token: TOKEN, baseUrl: 'http://127.0.0.1:1' }).web,
    'http://127.0.0.1:1',
  );
});

settingsContract(test, TOKEN, readGitlabSettings, [
  { baseUrl: 'http://git.acme.test' },
  { baseUrl: 'https://user:secret@git.acme.test' },
  { workspace: '../x' },
]);

test.run();
