import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { runAsCaller } from '../../../src/providers/account/caller.ts';
import type { ForgeOperation, ForgeOperations } from '../../../src/contract/forge/forge.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import {
  type FakeApp,
  newApp,
  newPrivateKey,
  signedBy,
} from '../../support/forges/fakeGithub/apps.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: as a GitHub App');

const MINUTE = 60_000;
const PEM = newPrivateKey();
const PR = { repo: REPO, number: 1 };
const SELF = 'svc-app[bot]';

/** What is due now happens: the account client waits no time between two writes here. */
class Clock extends SimulatedClock {
  override at(atMs: number, run: () => void): () => void {
    if (atMs > this.now()) return super.at(atMs, run);
    setImmediate(run);
    return () => undefined;
  }
}

interface World {
  stage: GithubStage;
  app: FakeApp;
  clock: SimulatedClock;
  forge: RemoteForge;
  /** Requests that the app made in its own name: `GET /app`, `POST …/access_tokens`. */
  minted(): number;
}

const createSettings = ({ id, installationId }: FakeApp, privateKey = PEM) => ({
  token: '',
  appId: id,
  installationId,
  privateKey,
});

const on = (run: (world: World) => Promise<void>) => async () => {
  const clock = new Clock(Date.parse('2026-01-01T00:00:00Z'));
  const stage = await GithubStage.open(clock);
  const { github, repo } = stage;
  const app = newApp(PEM);
  github.state.apps.push(app);
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  openPr(github.state, repo, {
    title: 'A feature',
    body: '',
    head: 'feature',
    base: 'main',
    author: 'ann',
  });
  const minted = () => github.seen.filter(({ path }) => path.endsWith('/access_tokens')).length;
  const forge = stage.makeForge({ values: createSettings(app) });
  try {
    await run({ stage, app, clock, forge, minted });
  } finally {
    await stage.end();
  }
};

const write = <K extends ForgeOperation>(
  forge: RemoteForge,
  clock: SimulatedClock,
  operation: K,
  args: ForgeOperations[K],
  operationId: string,
) => forge.write(operation, args, { author: 'svc:job', at: clock.now(), operationId });

test(
  'a job comments, answers, approves and merges as <slug>[bot], and hears nothing of what it did itself (TOOL-6)',
  on(async ({ stage, clock, forge, minted }) => {
    assert.is(await forge.self(), SELF);
    const comment = await write(forge, clock, 'post_pr_comment', { ...PR, body: 'Hello.' }, 'a');
    const reply = { ...PR, commentId: String(comment.result.commentId), body: 'And more.' };
    await write(forge, clock, 'reply_to_comment', reply, 'b');
    const { result } = await write(forge, clock, 'approve_pr', PR, 'c');
    assert.equal(result.approvals, [SELF]);
    const detail = await forge.pullRequest(REPO, 1);
    assert.equal(detail.approvals, [SELF]);
    assert.equal(
      detail.thread.map(({ author }) => author),
      [SELF, SELF],
    );
    const { news } = await forge.news([PR]);
    assert.equal(
      news.map(({ event, own, bot }) => [event.kind, event.author, own, bot]),
      [
        ['commented', SELF, true, true],
        ['commented', SELF, true, true],
        ['approved', SELF, true, true],
      ],
    );
    const merged = await write(forge, clock, 'merge_pr', PR, 'd');
    assert.is(merged.result.mergedBy, SELF);
    assert.is(stage.github.state.pr(REPO, 1).state, 'MERGED');
    assert.is(minted(), 1, 'one token for all of it');
  }),
);

test(
  'a person who has the name of the app is someone else',
  on(async ({ stage, clock, forge }) => {
    stage.github.state.addUser('twin-token', 'svc-app');
    await stage.as('twin-token', 'POST', `/repos/${REPO}/issues/1/comments`, { body: 'Hm.' });
    clock.advance(MINUTE);
    const { news } = await forge.news([PR]);
    assert.equal(
      news.map(({ event, own, bot }) => [event.author, own, bot]),
      [['svc-app', false, false]],
    );
  }),
);

test(
  'git fetches and pushes with the token of the app, and a pull request of its own cannot be approved by it',
  on(async ({ stage, clock, forge }) => {
    stage.repo.private = true;
    const source = await forge.source(REPO, { fresh: true });
    assert.ok(source);
    const jobDir = join(stage.dir, 'job');
    mkdirSync(jobDir);
    const { absDir } = await ensureCheckout({
      repoPath: source.path,
      jobDir,
      slug: REPO,
      baseBranch: 'main',
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: absDir, stdio: 'pipe' });
    git('switch', '--quiet', '-c', 'more');
    writeFileSync(join(absDir, 'more.txt'), 'more\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'More');
    const creation = { repo: REPO, head: 'more', base: '', title: 'More', body: '' };
    const args = { ...creation, checkoutDir: absDir, workItem: null };
    const { pr } = await write(forge, clock, 'create_pr', args, 'a');
    assert.is(stage.github.state.pr(REPO, pr?.number ?? 0).author, SELF);
    const own = { repo: REPO, number: pr?.number ?? 0 };
    const { code, message } = await catchRefusal(() => write(forge, clock, 'approve_pr', own, 'b'));
    assert.is(code, 'conflict');
    assert.match(message, /svc-app\[bot\] opened/);
  }),
);

test(
  'a token is replaced ten minutes before its hour ends, by one request for all that ask meanwhile, and works on the second day',
  on(async ({ clock, forge, minted }) => {
    await Promise.all([forge.pullRequests(REPO), forge.pullRequest(REPO, 1), forge.diff(REPO, 1)]);
    assert.is(minted(), 1);
    clock.advance(49 * MINUTE);
    await forge.pullRequests(REPO);
    assert.is(minted(), 1);
    clock.advance(2 * MINUTE);
    await Promise.all([forge.pullRequests(REPO), forge.pullRequest(REPO, 1)]);
    assert.is(minted(), 2);
    clock.advance(26 * 60 * MINUTE);
    await forge.pullRequests(REPO);
    await forge.source(REPO, { fresh: true });
    assert.is(minted(), 3);
  }),
);

test(
  'a token that GitHub no longer accepts is replaced: the write goes out once, git tries again, and the job’s own writes are counted without it',
  on(async ({ stage, clock, forge, minted }) => {
    const { state } = stage.github;
    await forge.pullRequests(REPO);
    state.tokens.clear();
    await forge.source(REPO, { fresh: true });
    assert.is(minted(), 2);
    state.tokens.clear();
    let before = 0;
    const beforeWrite = async () => {
      before += 1;
    };
    const comment = await runAsCaller({ jobId: 'j', phase: 'p', prepareWrite: beforeWrite }, () =>
      write(forge, clock, 'post_pr_comment', { ...PR, body: 'Hello.' }, 'a'),
    );
    assert.is(comment.result.commentId, `issue-${state.pr(REPO, 1).comments[0]?.id}`);
    assert.is(state.pr(REPO, 1).comments.length, 1);
    assert.is(minted(), 3);
    assert.ok(before <= 2, 'the request for a token is no write of the job');
    state.tokens.clear();
    await runAsCaller({ jobId: 'j', phase: 'p', prepareWrite: beforeWrite }, () =>
      forge.pullRequests(REPO),
    );
    assert.equal(minted(), 4);
    assert.equal(before <= 2, true);
  }),
);

test(
  'while GitHub gives no new token the old one is used to its end; then the error says that nothing was written',
  on(async ({ stage, clock, forge }) => {
    await forge.pullRequests(REPO);
    stage.github.fault = ({ path }) => (path.endsWith('/access_tokens') ? { status: 502 } : null);
    clock.advance(55 * MINUTE);
    await forge.pullRequests(REPO);
    clock.advance(4 * MINUTE + 30_000);
    const error = await catchRefusal(() =>
      write(forge, clock, 'post_pr_comment', { ...PR, body: 'Hello.' }, 'a'),
    );
    assert.equal(error.code, 'unreachable', error.message);
    assert.equal(error.data.sent, false, error.message);
  }),
);

test(
  'the signature is RS256, counts for less than ten minutes, and is dated back a minute',
  on(async ({ stage, app, clock, forge }) => {
    const authorizations: string[] = [];
    const own = stage.github.respond.bind(stage.github);
    stage.github.respond = (request) => {
      if (request.url.pathname.endsWith('/app'))
        authorizations.push(String(request.headers.authorization));
      return own(request);
    };
    await forge.healthcheck();
    const [, jwt = ''] = /^Bearer (.+)$/.exec(authorizations[0] ?? '') ?? [];
    assert.is(signedBy(stage.github.state, jwt), app);
    const [head = '', body = ''] = jwt.split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const now = Math.floor(clock.now() / 1000);
    assert.equal(read(head), { alg: 'RS256', typ: 'JWT' });
    assert.equal(read(body), { iat: now - 60, exp: now + 540, iss: '4711' });
  }),
);

test(
  'the health check asks now, and names what the app may not do',
  on(async ({ app, forge }) => {
    const who = 'Logged in as svc-app[bot], the app’s account at acme.'.replace('’', "'");
    assert.equal(await forge.healthcheck(), { ok: true, detail: who });
    delete app.permissions.checks;
    const lacking = await forge.healthcheck();
    assert.is(lacking.ok, true);
    assert.match(lacking.detail, /lacks permissions: Checks \(read, for results of checks\)\./);
    app.permissions.contents = 'read';
    const useless = await forge.healthcheck();
    assert.is(useless.ok, false);
    assert.match(useless.detail, /Contents \(read and write\), Checks/);
  }),
);

test(
  'a wrong key, app or installation, a suspended one and a wrong clock are named, and no secret is shown',
  on(async ({ stage, app, clock }) => {
    const health = async (values: object) => {
      const forge = stage.makeForge({ values: { ...createSettings(app), ...values } });
      const error = await catchRefusal(() => forge.healthcheck());
      assert.not.match(error.message, /BEGIN|ghs_|eyJ/);
      return `${error.code}: ${error.message}`;
    };
    assert.match(
      await health({ privateKey: newPrivateKey() }),
      /^config-invalid: .* does not accept the key of the app 4711: check appId and privateKey/,
    );
    assert.match(await health({ appId: 1 }), /^config-invalid: .* has no app 1: check appId/);
    assert.match(
      await health({ installationId: 5 }),
      /^config-invalid: .* has no installation 5 of the app 4711/,
    );
    app.suspended = true;
    assert.match(await health({}), /^forbidden: .*This installation has been suspended/);
    app.suspended = false;
    stage.github.state.apps.length = 0;
    stage.github.state.apps.push(app);
    const late = new SimulatedClock(clock.now() + 5 * MINUTE);
    const behind = new GithubStage(stage.github, late).makeForge({ values: createSettings(app) });
    assert.match(
      (await catchRefusal(() => behind.healthcheck())).message,
      /the clock of this machine\. .*(too far in the future|Issued at)/,
    );
  }),
);

test(
  'a refusal that repeats the token does not show it, and neither does git',
  on(async ({ stage, forge }) => {
    await forge.pullRequests(REPO);
    const [token = ''] = [...stage.github.state.tokens.keys()];
    stage.github.fault = ({ path }) =>
      path.startsWith('/repos/')
        ? { status: 422, body: { message: `You sent authorization: Bearer ${token}` } }
        : null;
    const { message } = await catchRefusal(() => forge.diff(REPO, 1));
    assert.match(message, /You sent authorization: Bearer \[secret\]/);
    assert.not.match(message, token);
  }),
);

test(
  'an app makes repositories in the organisation that it is installed for, and learns where it cannot',
  on(async ({ clock, forge }) => {
    const options = { private: true, description: '' };
    const { result } = await write(
      forge,
      clock,
      'create_repo',
      { repo: 'acme/new', ...options },
      'a',
    );
    assert.is(result.repo, 'acme/new');
    const { code, message } = await catchRefusal(() =>
      write(forge, clock, 'create_repo', { repo: 'svc-app/new', ...options }, 'b'),
    );
    assert.is(code, 'forbidden', message);
  }),
);

const pem = (type: 'rsa' | 'ec'): string =>
  type === 'ec'
    ? generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'sec1', format: 'pem' },
      }).privateKey
    : generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: {
          type: 'pkcs8',
          format: 'pem',
          cipher: 'aes-256-cbc',
          passphrase: 'x',
        },
      }).privateKey;

test('the key is a text, one with \\n for line ends, or a file; every mistake is named, and nothing of the key is shown', async () => {
  const { readGithubSettings } = await import('../../../src/providers/github/forge/settings.ts');
  const stage = await GithubStage.open();
  const file = join(stage.dir, 'app.pem');
  writeFileSync(file, PEM);
  const app = { appId: 1, installationId: 2 };
  for (const privateKey of [PEM, PEM.replaceAll('\n', '\\n'), `file:${file}`, `file://${file}`])
    assert.is(readGithubSettings({ ...app, privateKey }).app?.key.asymmetricKeyType, 'rsa');
  const wrong: [Record<string, string | number>, RegExp][] = [
    [{}, /set "token", or "appId", "installationId" and "privateKey"/],
    [{ ...app, privateKey: PEM, token: 'ghp_x' }, /has a "token" and also "appId"/],
    [{ appId: 1 }, /"installationId" and "privateKey" of the app are missing/],
    [{ ...app, appId: -1, privateKey: PEM }, /appId must be the number that GitHub shows/],
    [{ ...app, privateKey: 'a secret text' }, /privateKey is not a private key in PEM format/],
    [{ ...app, privateKey: pem('ec') }, /must be an RSA key of at least 2048 bits/],
    [{ ...app, privateKey: pem('rsa') }, /is protected by a passphrase/],
    [{ ...app, privateKey: 'file:key.pem' }, /write its absolute path, file:\/…/],
    [{ ...app, privateKey: `file:${file}.gone` }, /names .*app\.pem\.gone, which does not contain/],
    [{ ...app, privateKey: `file:${stage.dir}` }, /which does not contain/],
    [{ ...app, privateKey: 'file:/dev/zero' }, /which does not contain/],
  ];
  for (const [values, expected] of wrong) {
    const { code, message } = await catchRefusal(async () => readGithubSettings(values));
    assert.is(code, 'config-invalid');
    assert.match(message, expected);
    assert.not.match(message, /secret text|ghp_|BEGIN/);
  }
  await stage.end();
});

test.run();
