import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLAUDE_LOGIN } from '../../../src/executors/claude/createClaudeExecutor.ts';
import {
  buildClaudeSessionEnv,
  readClaudeSettings,
} from '../../../src/executors/claude/buildQueryOptions.ts';

const test = suite('claude: a login by its own command');

const TOKEN = 'sk-ant-oat01-abcdefgh';
const answer = (code: string) => ({ code, state: 's', codeVerifier: 'v', redirectUri: 'r' });
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'taken',
    (error: Error) => error.message,
  );

test('the person runs its own command (HTTP-7)', async () => {
  const begin = {
    state: 's',
    codeChallenge: 'c',
    codeChallengeMethod: 'S256',
    redirectUri: 'r',
  } as const;
  assert.equal(await CLAUDE_LOGIN.start(begin), { kind: 'command', command: 'claude setup-token' });
});

test('what the command prints becomes the secret setting', async () => {
  assert.equal(await CLAUDE_LOGIN.complete(answer(TOKEN)), { oauthToken: TOKEN });
});

for (const code of ['sk-ant-api03-abcdefgh', 'hello', `${TOKEN} x`])
  test(`what is no token of it is refused, and not repeated: ${code}`, async () => {
    const message = await refusal(CLAUDE_LOGIN.complete(answer(code)));
    assert.match(message, /start with sk-ant-oat/);
    assert.not.ok(message.includes(code));
  });

test('a key counts before a login', () => {
  const { apiKey, oauthToken } = readClaudeSettings({ apiKey: 'k', oauthToken: TOKEN }, 'Phase x');
  assert.equal([apiKey, oauthToken], ['k', null]);
});

test('with neither, the error names both', () => {
  assert.throws(() => readClaudeSettings({}, 'Phase x'), /Set apiKey .* or log in/);
});

test('the token is in no variable of the program', () => {
  const settings = readClaudeSettings({ oauthToken: TOKEN }, 'Phase x');
  const request = { env: {}, sessionDir: '/s' } as Parameters<typeof buildClaudeSessionEnv>[0];
  const env = buildClaudeSessionEnv(request, settings);
  assert.is(env.CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR, '3');
  assert.not.ok(JSON.stringify(env).includes(TOKEN));
});

test.run();
