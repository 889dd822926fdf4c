import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answeredClients, type GivenAnswer } from '../../support/forges/answeredClients.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('a refusal is passed on in words that help');

const by = { author: 'svc:job', at: 0, operationId: 'op' };
type Clients = ReturnType<typeof answeredClients>;

const catchAnswerRefusal = async (
  answer: GivenAnswer,
  ask: (clients: Clients) => Promise<unknown>,
) => {
  const clients = answeredClients(() => answer);
  return catchRefusal(() => clients.settled(ask(clients)));
};

const creation = {
  repo: 'acme/shop',
  head: 'feature',
  base: 'mian',
  title: 'T',
  body: '',
  checkoutDir: '',
  workItem: null,
};

const ASKS: Readonly<Record<string, (clients: Clients) => Promise<unknown>>> = {
  github: ({ github }) => github.write('create_pr', creation, by),
  gitlab: ({ gitlab }) => gitlab.write('create_pr', creation, by),
  bitbucket: ({ bitbucket }) => bitbucket.write('create_pr', creation, by),
  'github-issues': ({ githubIssues }) => githubIssues.issue('acme/shop#1'),
  jira: ({ jira }) => jira.issue('SHOP-1'),
  linear: ({ linear }) => linear.issue('ENG-1'),
};

test('GitHub names the field that is wrong, and not only that something is', async () => {
  const errors = [{ resource: 'PullRequest', field: 'base', code: 'invalid' }];
  const answer = { status: 422, body: { message: 'Validation Failed', errors } };
  const { code, message } = await catchAnswerRefusal(
    answer,
    ASKS.github as (clients: Clients) => Promise<unknown>,
  );
  assert.is(code, 'bad-argument');
  assert.match(message, 'refuses a pull request of acme/shop: Validation Failed: base: invalid');
});

for (const [name, ask] of Object.entries(ASKS))
  for (const status of [400, 403, 502])
    test(`${name}: a page of HTML with ${status} is named by its title, and not shown`, async () => {
      const body = '<!DOCTYPE html><html><head><title>Web Gateway</title></head><body><p>…</body>';
      const answer = { status, headers: { 'content-type': 'text/html' }, body };
      const { message } = await catchAnswerRefusal(answer, ask);
      assert.match(message, /a page of HTML \("Web Gateway"\)/);
      assert.not.match(message, /<\w/);
    });

const LOCKED = 'Unable to create comment because issue is locked.';

for (const [text, words] of [
  [LOCKED, /refuses .*: its conversation is locked\. A person .*must unlock it/],
  ['Repository was archived so is read-only.', /refuses .*: it is archived.* must unarchive it/],
  ['Sorry. Your account was suspended.', /account is suspended/],
  [
    'the `acme` organization has an IP allow list enabled, and 10.0.0.1 is not …',
    /some IP addresses/,
  ],
] as const)
  test(`a 403 that another token does not change is not put on the token: ${text}`, async () => {
    const answer = { status: 403, body: { message: text } };
    const { code, message } = await catchAnswerRefusal(answer, ({ githubIssues }) =>
      githubIssues.issue('acme/shop#1'),
    );
    assert.is(code, 'forbidden');
    assert.match(message, words);
    assert.not.match(message, /has no permission/);
    assert.match(message, text.replace(/\.$/, ''));
  });

test('the page where a token is authorized for single sign-on is passed on', async () => {
  const url = 'https://github.com/orgs/acme/sso?authorization_request=abc';
  const answer = {
    status: 403,
    headers: { 'x-github-sso': `required; url=${url}` },
    body: { message: 'Resource protected by organization SAML enforcement.' },
  };
  const { message } = await catchAnswerRefusal(answer, ({ githubIssues }) =>
    githubIssues.issue('acme/shop#1'),
  );
  assert.match(message, 'requires single sign-on');
  assert.match(message, url);
});

test('the token of an installation is said to be one, with the settings to use', async () => {
  const answer = { status: 403, body: { message: 'Resource not accessible by integration' } };
  const { code, message } = await catchAnswerRefusal(answer, ({ github }) => github.healthcheck());
  assert.is(code, 'config-invalid');
  assert.match(message, /Set appId, installationId and privateKey/);
});

for (const status of [401, 403])
  test(`Jira: a CAPTCHA is named with the page to solve it at (${status})`, async () => {
    const answer = {
      status,
      headers: {
        'x-authentication-denied-reason':
          'CAPTCHA_CHALLENGE; login-url=https://host.test/login.jsp',
        'content-type': 'text/html',
      },
      body: '<html><head><title>Forbidden (403)</title></head></html>',
    };
    const { code, message } = await catchAnswerRefusal(answer, ({ jira }) => jira.issue('SHOP-1'));
    assert.is(code, 'config-invalid');
    assert.match(message, /has solved a CAPTCHA.* logs in .*at https:\/\/host\.test\/login\.jsp/);
  });

test('Linear: what is wrong with each input is said', async () => {
  const errors = [
    {
      message: 'Argument Validation Error',
      extensions: {
        code: 'INVALID_INPUT',
        validationErrors: [{ property: 'body', constraints: { isString: 'must be a text' } }],
      },
    },
    { message: 'Second', extensions: null },
    null,
  ];
  const answer = { status: 400, body: { errors } };
  const { message } = await catchAnswerRefusal(answer, ({ linear }) => linear.issue('ENG-1'));
  assert.match(message, 'Argument Validation Error; body: must be a text; Second');
});

test('GraphQL of GitHub: an error without a message is named by its place and type', async () => {
  const errors = [{ type: 'UNPROCESSABLE', path: ['repository', 'pullRequest'] }];
  const answer = { body: { data: null, errors } };
  const { message } = await catchAnswerRefusal(answer, ({ github }) =>
    github.pullRequest('acme/shop', 1),
  );
  assert.match(message, 'repository.pullRequest: UNPROCESSABLE');
});

test.run();
