import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PeopleStage } from '../../support/cloud/peopleStage.ts';
import type { HtmlVisitor } from '../../support/cloud/htmlVisitor.ts';
import { REDIRECT } from '../../support/cloud/oauthClient.ts';

const test = suite('cloud: authorization by code');
const dbTest = defineDatabaseTests(test);
const TOLERANCE_MS = 30_000;

let stage: PeopleStage;
let ada: HtmlVisitor;
let adaId: string;

if (postgresPrograms.length > 0)
  test.before(async () => {
    stage = await PeopleStage.open();
    adaId = await stage.addPerson('ada');
    ada = await stage.openVisitor('ada');
  });
test.after(() => stage?.close());

const requestStatus = async (token: string) => (await stage.ask('/me', token)).status;

async function getCode(): Promise<{ code: string; verifier: string }> {
  const { path, verifier } = stage.client.startAuthorization();
  const callback = await stage.allow(ada, path);
  return { code: callback.searchParams.get('code') ?? '', verifier };
}

dbTest('the metadata name this control plane, PKCE by S256 and no secret (CLD-2)', async () => {
  const metadata = await stage.client.metadata();
  const issuer = `${stage.cloud.publicUrl}/auth`;
  assert.is(metadata.issuer, issuer);
  assert.is(metadata.authorization_endpoint, `${issuer}/authorize`);
  assert.is(metadata.token_endpoint, `${issuer}/token`);
  assert.is(metadata.device_authorization_endpoint, `${issuer}/device/code`);
  assert.is(metadata.revocation_endpoint, `${issuer}/token/revocation`);
  assert.equal(metadata.code_challenge_methods_supported, ['S256']);
  assert.equal(metadata.token_endpoint_auth_methods_supported, ['none']);
  assert.equal(metadata.response_types_supported, ['code']);
});

dbTest('a Host that a client makes up is in no link (CLD-2)', async () => {
  const answer = await stage.cloud.ask('/auth/device/code', {
    method: 'POST',
    headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
    body: new URLSearchParams({ client_id: 'svc-cli', scope: 'api' }),
  });
  const { verification_uri } = (await answer.json()) as { verification_uri: string };
  assert.is(verification_uri, `${stage.cloud.publicUrl}/auth/device`);
});

dbTest(
  'two keys are published, the next one from the first day, and no private part (CLD-2)',
  async () => {
    const answer = await stage.cloud.ask('/auth/jwks');
    const { keys } = (await answer.json()) as { keys: Record<string, string>[] };
    assert.equal(
      keys.map(({ alg, crv }) => [alg, crv]),
      [
        ['ES256', 'P-256'],
        ['ES256', 'P-256'],
      ],
    );
    assert.not(keys.some((key) => 'd' in key));
  },
);

dbTest(
  'a code gives an access token of ten minutes without roles, and a refresh token (CLD-2)',
  async () => {
    const { path, verifier, state } = stage.client.startAuthorization();
    const callback = await stage.allow(ada, path);
    assert.is(callback.searchParams.get('state'), state);
    assert.is(callback.searchParams.get('iss'), `${stage.cloud.publicUrl}/auth`);
    const { status, body } = await stage.client.exchange(
      callback.searchParams.get('code') ?? '',
      verifier,
    );
    assert.is(status, 200);
    assert.is(body.token_type, 'Bearer');
    assert.is(body.expires_in, 600);
    const claims = JSON.parse(
      Buffer.from(body.access_token.split('.')[1] ?? '', 'base64url').toString(),
    );
    assert.is(claims.sub, adaId);
    assert.is(claims.aud, stage.cloud.publicUrl);
    assert.is(claims.exp - claims.iat, 600);
    assert.equal(Object.keys(claims).toSorted(), [
      'aud',
      'client_id',
      'exp',
      'grant',
      'iat',
      'iss',
      'jti',
      'scope',
      'sub',
    ]);
    const me = await stage.ask('/me', body.access_token);
    assert.is(((await me.json()) as { userId: string }).userId, adaId);
  },
);

dbTest('what a thief of the database reads is no token (CLD-2)', async () => {
  const { refresh_token } = await stage.logIn(ada);
  const rows = await stage.database
    .sql`select model, id, payload::text as payload, uid from oauth_records`;
  assert.not(JSON.stringify(rows).includes(refresh_token));
});

dbTest('a code that is used twice ends what its first use has given (CLD-2)', async () => {
  const { code, verifier } = await getCode();
  const first = await stage.client.exchange(code, verifier);
  assert.is(await requestStatus(first.body.access_token), 200);
  const second = await stage.client.exchange(code, verifier);
  assert.is(second.status, 400);
  assert.is(second.body.error, 'invalid_grant');
  assert.is(await requestStatus(first.body.access_token), 401);
  assert.is((await stage.client.refresh(first.body.refresh_token)).body.error, 'invalid_grant');
});

dbTest('of ten uses of one code at the same time at most one gives tokens (CLD-2)', async () => {
  const { code, verifier } = await getCode();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => stage.client.exchange(code, verifier)),
  );
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
});

dbTest('without PKCE no authorization begins, and "plain" is none (CLD-2)', async () => {
  for (const changes of [
    { code_challenge: null, code_challenge_method: null },
    { code_challenge_method: 'plain' },
    { code_challenge_method: null },
  ]) {
    const { path } = stage.client.startAuthorization(changes);
    const answer = await ada.open(path);
    const target = new URL(answer.location ?? '');
    assert.is(`${target.origin}${target.pathname}`, REDIRECT);
    assert.is(target.searchParams.get('error'), 'invalid_request');
  }
});

dbTest('a code without its verifier, or with another one, is refused (CLD-2)', async () => {
  const { code } = await getCode();
  assert.is((await stage.client.exchange(code, null)).body.error, 'invalid_grant');
  const other = stage.client.startAuthorization().verifier;
  assert.is((await stage.client.exchange(code, other)).body.error, 'invalid_grant');
});

for (const redirect of [
  'https://evil.example/callback',
  'http://localhost:41234/callback',
  'http://127.0.0.1:41234/other',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.1@evil.example/callback',
  'https://127.0.0.1:41234/callback',
  'javascript:alert(1)',
])
  dbTest(`no one is sent to ${redirect} (CLD-2)`, async () => {
    const answer = await ada.open(stage.client.startAuthorization({ redirect_uri: redirect }).path);
    assert.is(answer.status, 400);
    assert.is(answer.location, null);
  });

dbTest('any port of 127.0.0.1 is good, and the exchange must name the same (CLD-2)', async () => {
  const redirect = 'http://127.0.0.1:50999/callback';
  const { path, verifier } = stage.client.startAuthorization({ redirect_uri: redirect });
  const page = await stage.openConsent(ada, path);
  const reply = await ada.post(page.url, { ...page.hidden, answer: 'allow' });
  const resumed = await ada.open(new URL(reply.location ?? '').pathname);
  assert.ok(resumed.location?.startsWith(`${redirect}?`));
  const code = new URL(resumed.location ?? '').searchParams.get('code') ?? '';
  assert.is((await stage.client.exchange(code, verifier)).body.error, 'invalid_grant');
  assert.is((await stage.client.exchange(code, verifier, redirect)).status, 200);
});

dbTest('who denies sends no code (CLD-2)', async () => {
  const callback = await stage.allow(ada, stage.client.startAuthorization().path, 'deny');
  assert.is(callback.searchParams.get('error'), 'access_denied');
  assert.is(callback.searchParams.get('code'), null);
});

dbTest('a consent without the token of its page is refused (CLD-2)', async () => {
  const page = await stage.openConsent(ada, stage.client.startAuthorization().path);
  assert.is((await ada.post(page.url, { answer: 'allow' })).status, 403);
  assert.is((await ada.post(page.url, { answer: 'allow', csrf: 'x' })).status, 403);
});

dbTest('the page of consent belongs to the browser that has asked (CLD-2)', async () => {
  const page = await stage.openConsent(ada, stage.client.startAuthorization().path);
  await stage.addPerson('eve');
  const eve = await stage.openVisitor('eve');
  assert.is((await eve.open(page.url)).status, 409);
});

dbTest('each login asks again, and under the account that is logged in now (CLD-2)', async () => {
  await stage.logIn(ada);
  const page = await stage.openConsent(ada, stage.client.startAuthorization().path);
  assert.match(page.text, 'ada@svc.example');
});

dbTest('a token for another server is not given (CLD-2)', async () => {
  const { path } = stage.client.startAuthorization({ resource: 'https://other.example' });
  const answer = await ada.open(path);
  assert.is(new URL(answer.location ?? '').searchParams.get('error'), 'invalid_target');
});

dbTest('a refresh token is exchanged for a new one (CLD-2)', async () => {
  const first = await stage.logIn(ada);
  const second = await stage.client.refresh(first.refresh_token);
  assert.is(second.status, 200);
  assert.is.not(second.body.refresh_token, first.refresh_token);
  assert.is(await requestStatus(second.body.access_token), 200);
});

dbTest(
  'a lost answer: the same token works once more, and only the last answer counts (CLD-2)',
  async () => {
    const first = await stage.logIn(ada);
    const lost = await stage.client.refresh(first.refresh_token);
    stage.clock.shift(TOLERANCE_MS - 1000);
    const again = await stage.client.refresh(first.refresh_token);
    stage.clock.shift(1000 - TOLERANCE_MS);
    assert.is(again.status, 200);
    assert.is((await stage.client.refresh(again.body.refresh_token)).status, 200);
    // A refresh token that is used twice may be stolen: its whole family ends.
    assert.is((await stage.client.refresh(lost.body.refresh_token)).body.error, 'invalid_grant');
    assert.is(await requestStatus(again.body.access_token), 401);
  },
);

dbTest(
  'stolen and used a second time after its successor was used: the family ends (CLD-2)',
  async () => {
    const first = await stage.logIn(ada);
    const second = await stage.client.refresh(first.refresh_token);
    const third = await stage.client.refresh(second.body.refresh_token);
    assert.is(third.status, 200);
    assert.is((await stage.client.refresh(first.refresh_token)).body.error, 'invalid_grant');
    assert.is((await stage.client.refresh(third.body.refresh_token)).body.error, 'invalid_grant');
    assert.is(await requestStatus(third.body.access_token), 401);
  },
);

dbTest('used a second time after the tolerance: the family ends (CLD-2)', async () => {
  const first = await stage.logIn(ada);
  const second = await stage.client.refresh(first.refresh_token);
  stage.clock.shift(TOLERANCE_MS + 1000);
  assert.is((await stage.client.refresh(first.refresh_token)).body.error, 'invalid_grant');
  assert.is((await stage.client.refresh(second.body.refresh_token)).body.error, 'invalid_grant');
  stage.clock.shift(-TOLERANCE_MS - 1000);
});

dbTest('a family that has ended leaves the other logins of the person (CLD-2)', async () => {
  const other = await stage.logIn(ada);
  const first = await stage.logIn(ada);
  await stage.client.revoke(first.refresh_token);
  assert.is(await requestStatus(first.access_token), 401);
  assert.is((await stage.client.refresh(first.refresh_token)).body.error, 'invalid_grant');
  assert.is(await requestStatus(other.access_token), 200);
});

dbTest('the revocation of an unknown token says nothing about it (CLD-2)', async () => {
  assert.is(await stage.client.revoke('x'.repeat(43)), 200);
});

dbTest('another client, another grant and a made-up code are refused (CLD-2)', async () => {
  const wrong = (fields: Record<string, string>) => stage.client.token(fields);
  assert.is(
    (await wrong({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'other' })).status,
    401,
  );
  assert.is(
    (await wrong({ grant_type: 'password', username: 'ada', password: 'x' })).body.error,
    'unsupported_grant_type',
  );
  assert.is(
    (await wrong({ grant_type: 'client_credentials' })).body.error,
    'unsupported_grant_type',
  );
  assert.is(
    (await stage.client.exchange('x'.repeat(43), 'y'.repeat(43))).body.error,
    'invalid_grant',
  );
});

dbTest('routes of the authorization server that svc does not use are closed (CLD-2)', async () => {
  for (const path of [
    '/auth/me',
    '/auth/reg',
    '/auth/session/end',
    '/auth/session/end/confirm',
    '/auth/device/x',
    '/auth/token/introspection',
    '/auth/request',
  ])
    for (const method of ['GET', 'POST'])
      assert.is(
        (await stage.cloud.ask(path, { method, headers: { Accept: 'application/json' } })).status,
        404,
        path,
      );
});

test.run();
