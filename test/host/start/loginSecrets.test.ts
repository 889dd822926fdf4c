import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { createLoginSecretSource } from '../../../src/host/start/loginSecrets.ts';
import { listLoginFiles } from '../../../src/plugins/setUp/listLoginFiles.ts';

const test = suite<{ dir: string; file: string; known: KnownSecrets }>('tokens of a named login');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-login-'));
  context.file = join(context.dir, '.credentials.json');
  context.known = new KnownSecrets();
  context.known.addSource(createLoginSecretSource(() => [context.file]));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** As Claude Code writes it. */
const formatLogin = (token: string): string =>
  JSON.stringify({
    claudeAiOauth: {
      accessToken: token,
      refreshToken: `refresh-${token}`,
      expiresAt: 1,
      scopes: ['user:inference'],
      subscriptionType: 'maximum-plan',
    },
  });

test('its tokens are masked, and what else the file says is not', ({ file, known }) => {
  writeFileSync(file, formatLogin('canary-first'));
  assert.is(known.screen('a canary-first b'), 'a [secret] b');
  assert.is(known.screen('user:inference of maximum-plan'), 'user:inference of maximum-plan');
});

test('a login that its program renews is masked at once, and the earlier one stays masked', ({
  dir,
  file,
  known,
}) => {
  writeFileSync(file, formatLogin('canary-first'));
  known.screen('');
  writeFileSync(file, formatLogin('canary-renewed'));
  assert.is(known.screen('canary-first canary-renewed'), '[secret] [secret]');
  writeFileSync(join(dir, 'next'), formatLogin('canary-replaced'));
  renameSync(join(dir, 'next'), file);
  assert.is(known.screen('canary-replaced'), '[secret]');
});

test('a branch is searched for the tokens too, and a file with one is refused as a copy', ({
  file,
  known,
}) => {
  writeFileSync(file, formatLogin('canary-first'));
  assert.is(known.holdsOwn('x canary-first'), true);
});

test('a file that is missing, half written or too large changes nothing, and is read once it is complete', ({
  file,
  known,
}) => {
  assert.is(known.screen('canary-first'), 'canary-first');
  writeFileSync(file, formatLogin('canary-first').slice(0, 60));
  assert.is(known.screen('canary-first'), 'canary-first');
  writeFileSync(file, formatLogin('canary-first').padEnd(300_000));
  assert.is(known.screen('canary-first'), 'canary-first');
  writeFileSync(file, formatLogin('canary-first'));
  assert.is(known.screen('canary-first'), '[secret]');
});

test('the files are those of the logins that the settings name, and no others', () => {
  const settle = (config: object) => ({ enabled: true, config: { ...config } });
  assert.equal(listLoginFiles({}), []);
  assert.equal(
    listLoginFiles({
      claude: settle({ loginDir: '/home/ana/.claude' }),
      acp: settle({ codexLoginDir: '/home/ana/.codex' }),
    }),
    ['/home/ana/.claude/.credentials.json', '/home/ana/.codex/auth.json'],
  );
});

test.run();
