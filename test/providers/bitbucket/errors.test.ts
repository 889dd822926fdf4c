import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formatBitbucketAuthorization,
  readBitbucketSettings,
  pickBitbucketGitUser,
} from '../../../src/providers/bitbucket/forge/settings.ts';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { BitbucketStage, REPO, TOKEN } from '../../support/forges/bitbucketStage.ts';
import { SCOPES } from '../../support/forges/fakeBitbucket/state.ts';
import {
  accountContract,
  mergeRefusalContract,
  settingsContract,
} from '../../support/forges/remoteForgeContract.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm bitbucket: what it refuses');

const on = (run: (stage: BitbucketStage) => Promise<void>) => async () => {
  const stage = await BitbucketStage.open();
  try {
    await run(stage);
  } finally {
    await stage.end();
  }
};

const by = (operationId = 'op') => ({ author: 'svc:job', at: Date.now(), operationId });
const MERGE = { repo: REPO, number: 1 };

accountContract(test, 'ATATTwrongwrongwrong', async () => {
  const stage = await BitbucketStage.open();
  return {
    forge: stage.forge,
    repo: REPO,
    withWrongToken: stage.makeForge({ token: 'ATATTwrongwrongwrong' }),
    stopServer: () => stage.bitbucket.stop(),
    end: () => stage.end(),
  };
});

test(
  'a login that is none says which of its two settings may be wrong',
  on(async (stage) => {
    const catchListError = async (username: string) =>
      (await catchRefusal(() => stage.makeForge({ username }).pullRequests(REPO))).message;
    assert.match(await catchListError(''), /Without username it must be an access token/);
    assert.match(
      await catchListError('svc-robot'),
      /the e-mail of its account as username, not its name; app passwords no longer work/,
    );
    assert.match(await catchListError('ann@acme.test'), /the e-mail of its own account/);
  }),
);

test(
  'a missing scope is named, beside those that the token has',
  on(async (stage) => {
    const scopes = SCOPES.filter((scope) => !scope.startsWith('write:pullrequest'));
    stage.bitbucket.state.addUser('reader', 'reader', {
      workspace: 'acme',
      scopes: scopes.slice(-1),
    });
    stage.opened();
    const forge = stage.makeForge({ token: 'reader', username: 'reader@acme.test' });
    const { code, message } = await catchRefusal(() => forge.write('approve_pr', MERGE, by()));
    assert.is(code, 'forbidden');
    assert.match(
      message,
      /It needs one of: read:user:bitbucket; it has: read:pullrequest:bitbucket\./,
    );
    assert.match(message, /says: Your credentials lack one or more required privilege scopes\.$/);
  }),
);

test(
  'a missing repository and one that the token may not see get the same message, since they cannot be distinguished',
  on(async (stage) => {
    stage.bitbucket.state.addRepo('other/secret', { private: true });
    const messages = [
      await catchRefusal(() => stage.forge.pullRequests('acme/none')),
      await catchRefusal(() => stage.forge.pullRequests('other/secret')),
      await catchRefusal(() => stage.forge.pullRequest(REPO, 99)),
      await catchRefusal(() => stage.forge.source('acme/none', { fresh: true })),
    ];
    assert.equal(
      messages.map(({ code }) => code),
      ['not-found', 'not-found', 'not-found', 'not-found'],
    );
    assert.match(
      messages[1]?.message ?? '',
      /has no repository other\/secret, or the token may not see it\.$/,
    );
  }),
);

test(
  'a merge that a merge check keeps back says which',
  on(async (stage) => {
    stage.repo.demandedApprovals = 1;
    stage.opened('ann');
    const { code, message, data } = await catchRefusal(() =>
      stage.forge.write('merge_pr', MERGE, by()),
    );
    assert.equal(code, 'conflict');
    assert.equal(data.reason, ['minimum_approvals']);
    assert.match(
      message,
      /main is protected, and a review or a check that it requires is missing.* Missing: minimum_approvals\. 127\.0\.0\.1:\d+ says: /,
    );
  }),
);

test(
  'a merge that git cannot do is a conflict whose message says what to do, whichever status Bitbucket gives it',
  on(async (stage) => {
    const { bitbucket, repo } = stage;
    stage.opened('ann');
    bitbucket.state.commit(repo, 'main', { 'feature.txt': 'other\n' });
    const body = { type: 'error', error: { message: 'Conflicts during merge.' } };
    for (const status of [409, 400]) {
      bitbucket.fault = ({ path }) => (path.endsWith('/merge') ? { status, body } : null);
      const { code, message, data } = await catchRefusal(() =>
        stage.forge.write('merge_pr', MERGE, by()),
      );
      assert.equal(code, 'conflict', message);
      assert.equal(data.reason, 'conflicts', message);
      assert.match(message, /feature and main both changed the same places/);
    }
  }),
);

test(
  'a draft is not merged, and a person is asked for',
  on(async (stage) => {
    stage.opened('ann').draft = true;
    stage.bitbucket.fault = ({ path }) =>
      path.endsWith('/merge') ? { status: 400, body: {} } : null;
    const { code, message } = await catchRefusal(() => stage.forge.write('merge_pr', MERGE, by()));
    assert.is(code, 'conflict');
    assert.match(message, /it is a draft/);
  }),
);

test(
  'a branch that a restriction keeps back is reported as protected, in the words of Bitbucket',
  on(async (stage) => {
    const source = await stage.forge.source(REPO, { fresh: true });
    assert.ok(source);
    const checkout = { repoPath: source.path, jobDir: stage.dir, slug: REPO, baseBranch: 'main' };
    const { absDir } = await ensureCheckout(checkout);
    execFileSync('git', ['switch', '--quiet', '-c', 'release'], { cwd: absDir });
    execFileSync('git', ['commit', '--quiet', '--allow-empty', '-m', 'A change'], { cwd: absDir });
    mkdirSync(join(stage.repo.gitDir, 'hooks'), { recursive: true });
    const hook = '#!/bin/sh\necho "Permission denied to update branch release." >&2\nexit 1\n';
    writeFileSync(join(stage.repo.gitDir, 'hooks', 'pre-receive'), hook, { mode: 0o755 });
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
      /protects this branch of acme\/shop: use a branch of your own\. .*Permission denied to update branch/s,
    );
    assert.not.match(message, /ATATT/);
  }),
);

test(
  'a merge whose request timed out at Bitbucket leaves open whether it was done',
  on(async (stage) => {
    stage.opened('ann');
    stage.bitbucket.fault = ({ path }) =>
      path.endsWith('/merge') ? { status: 555, body: {} } : null;
    const lost = await catchRefusal(() => stage.forge.write('merge_pr', MERGE, by()));
    assert.equal(lost.code, 'unreachable');
    assert.equal(lost.data.sent, true);
  }),
);

test(
  'the limit of requests is an error with the time of its end, where Bitbucket names one that is far',
  on(async (stage) => {
    stage.bitbucket.fault = () => ({ status: 429, headers: { 'retry-after': '600' }, body: {} });
    const error = await catchRefusal(() => stage.forge.pullRequests(REPO));
    assert.is(error.code, 'rate-limited');
    assert.ok(
      Date.parse(String(error.data.resetsAt)) > Date.now() + 500_000,
      String(error.data.resetsAt),
    );
  }),
);

test(
  'an invalid address causes no request; a server that is a Data Center is named as such',
  on(async (stage) => {
    assert.is(
      (await catchRefusal(() => stage.forge.pullRequest('../../etc', 1))).code,
      'bad-argument',
    );
    assert.is((await catchRefusal(() => stage.forge.pullRequest('a/b/c', 1))).code, 'bad-argument');
    assert.is(stage.bitbucket.seen.length, 0);
    const answers = [
      { status: 404, headers: { 'x-arequestid': '@1' }, body: '<html></html>' },
      {
        status: 401,
        body: { errors: [{ context: null, message: 'No', exceptionName: 'com.atlassian.X' }] },
      },
    ];
    for (const answer of answers) {
      stage.bitbucket.fault = () => answer;
      const { code, message } = await catchRefusal(() => stage.forge.pullRequests(REPO));
      assert.is(code, 'config-invalid');
      assert.match(message, /Bitbucket Data Center.*svc does not support/);
    }
  }),
);

test('the address of a server is https, but on this machine, and that of Bitbucket Cloud', () => {
  const { api, web } = readBitbucketSettings({ token: TOKEN });
  assert.equal(api, 'https://api.bitbucket.org/2.0');
  assert.equal(web, 'https://bitbucket.org');
  assert.is(
    readBitbucketSettings({ token: TOKEN, baseUrl: 'https://proxy.acme.test/2.0/' }).api,
    'https://proxy.acme.test/2.0',
  );
});

settingsContract(test, TOKEN, readBitbucketSettings, [
  { baseUrl: 'http://git.acme.test' },
  { baseUrl: 'https://user:secret@git.acme.test' },
  { baseUrl: 'git.acme.test' },
  { baseUrl: 'https://git.acme.test/rest/api/1.0' },
]);

test('each kind of token goes out as Bitbucket wants it, to the API and beside git', () => {
  const readCredentials = (username: string) => {
    const settings = readBitbucketSettings({ token: 't', username });
    return [formatBitbucketAuthorization(settings), pickBitbucketGitUser(settings)];
  };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  assert.equal(readCredentials('ann@acme.test'), [
    basic('ann@acme.test:t'),
    'x-bitbucket-api-token-auth',
  ]);
  assert.equal(readCredentials(''), ['Bearer t', 'x-token-auth']);
  assert.equal(readCredentials('ann'), [basic('ann:t'), 'ann']);
});

mergeRefusalContract(test, async () => {
  const stage = await BitbucketStage.open();
  stage.opened('ann');
  return {
    forge: stage.forge,
    repo: REPO,
    refuseMerges(message) {
      stage.bitbucket.fault = ({ path }) =>
        path.endsWith('/merge')
          ? { status: 400, body: { type: 'error', error: { message } } }
          : null;
    },
    end: () => stage.end(),
  };
});

test.run();
