import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import TrustAddCommand from '../../cli/commands/trust/add.ts';
import TrustListCommand from '../../cli/commands/trust/list.ts';
import TrustRemoveCommand from '../../cli/commands/trust/remove.ts';
import TrustShowCommand from '../../cli/commands/trust/show.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner } from '../support/http/fakeRunner.ts';
import { TRUST_HASH, TRUSTED, UNTRUSTED } from '../support/http/fakeTrust.ts';

const SHOWN = `shop (/srv/shop, commit cccccccccccc)
Not trusted: none of this is used.
  .svc/agents/check.md: it declares a program to run
    sha256 ${'b'.repeat(64)}
    runs node {layer}/check.mjs --all
hash ${TRUST_HASH}
Programs listed here can run other files of the checkout. Agents can change those files, and the hash does not cover them.
`;

const test = suite<{ home: string; runner: FakeRunner; line: CommandLine }>('commands on trust');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-trust-'));
  context.runner = await fakeRunner({
    'GET /trust': [200, [UNTRUSTED]],
    'POST /trust': [200, TRUSTED],
    'DELETE /trust/shop': [204, ''],
  });
  context.line = new CommandLine({ SVC_HOME: context.home, SVC_URL: context.runner.url });
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

const listWrites = (runner: FakeRunner) =>
  runner.seen
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [method, path, body]);

test('svc trust list and show tell what a repository would run', async ({ line }) => {
  assert.is(
    (await line.run(TrustListCommand, [])).out,
    'REPO  STATE      FILES  TRUSTED AT  PATH\nshop  untrusted  1      -           /srv/shop\n',
  );
  assert.equal(await line.run(TrustShowCommand, ['shop']), { code: 0, out: SHOWN, err: '' });
  assert.is((await line.run(TrustShowCommand, ['shp'])).code, 3);
});

test('svc trust add shows everything, asks, and sends the hash of what was shown', async ({
  line,
  runner,
}) => {
  line.answers = ['y'];
  const { code, out, err } = await line.run(TrustAddCommand, ['shop']);
  assert.equal(code, 0);
  assert.equal(out, `shop is trusted: 1 file, hash ${TRUST_HASH}\n`);
  assert.ok(err.startsWith(SHOWN), err);
  assert.equal(listWrites(runner), [['POST', '/trust', { repo: 'shop', hash: TRUST_HASH }]]);
});

test('svc trust add does nothing without a yes: a no, an empty answer, no terminal', async ({
  line,
  runner,
}) => {
  for (const answer of ['n', '', 'yess']) {
    line.answers = [answer];
    assert.is((await line.run(TrustAddCommand, ['shop'])).code, 1, answer);
  }
  line.answers = null;
  const noOne = await line.run(TrustAddCommand, ['shop']);
  assert.is(noOne.code, 2);
  assert.match(noOne.err, /no terminal is attached\. Give --yes to confirm it\./);
  assert.equal(listWrites(runner), []);
  assert.is((await line.run(TrustAddCommand, ['shop', '--yes'])).code, 0);
  assert.is(listWrites(runner).length, 1);
});

test('svc trust remove takes it back', async ({ line, runner }) => {
  assert.equal(await line.run(TrustRemoveCommand, ['shop']), {
    code: 0,
    out: 'shop is no longer trusted\n',
    err: '',
  });
  assert.equal(listWrites(runner), [['DELETE', '/trust/shop', null]]);
});

test.run();
