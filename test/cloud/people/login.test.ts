import { createHmac } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTrustedProxies } from '../../../src/base/system/network/trustedProxies.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../../support/cloud/peopleStage.ts';
import type { HtmlVisitor } from '../../support/cloud/htmlVisitor.ts';

const test = suite('cloud: logins');
const dbTest = defineDatabaseTests(test);
const HOUR_MS = 60 * 60_000;
const LOCK_MS = 15 * 60_000;
const TOKEN_MS = 10 * 60_000;

let stage: PeopleStage;
let ada: HtmlVisitor;
/** An access token of ada, and the key that has signed it. */
let token: string;
let claims: Record<string, unknown>;
let key: { kid: string; private: JWK };

if (postgresPrograms.length > 0)
  test.before(async () => {
    stage = await PeopleStage.open({ trustedProxies: parseTrustedProxies('127.0.0.1') });
    await stage.addPerson('ada');
    ada = await stage.openVisitor('ada');
    token = (await stage.logIn(ada)).access_token;
    claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const [row] = await stage.database.sql<{ kid: string; private: JWK }[]>`
      select kid, private from signing_keys where state = 'current'`;
    if (row === undefined) throw new Error('no key');
    key = row;
  });
test.after(() => stage?.close());

const requestStatus = async (bearer: string) => (await stage.ask('/me', bearer)).status;

interface Forged {
  header?: Record<string, unknown>;
  payload?: Record<string, unknown>;
  jwk?: JWK;
}

/** A token of our own making, right unless something is changed. */
const forge = async ({ header = {}, payload = {}, jwk = key.private }: Forged) =>
  new SignJWT({ ...claims, ...payload })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(jwk, 'ES256'));

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

dbTest(
  'a token of our making with the real key is accepted: what follows differs in one thing (CLD-2)',
  async () => {
    assert.is(await requestStatus(await forge({})), 200);
  },
);

dbTest('a token without a signature is refused (CLD-2)', async () => {
  for (const alg of ['none', 'None', 'NONE'])
    assert.is(
      await requestStatus(`${encode({ alg, typ: 'at+jwt', kid: key.kid })}.${encode(claims)}.`),
      401,
    );
});

dbTest('a token that is signed with the public key as a password is refused (CLD-2)', async () => {
  const { d: _, ...publicKey } = key.private;
  const head = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encode(claims)}`;
  const signature = createHmac('sha256', JSON.stringify(publicKey))
    .update(head)
    .digest('base64url');
  assert.is(await requestStatus(`${head}.${signature}`), 401);
});

dbTest('a token of another key under the known key id is refused (CLD-2)', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  assert.is(await requestStatus(await forge({ jwk: await exportJWK(privateKey) })), 401);
});

dbTest('a key that the token brings with it is not used (CLD-2)', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const header = { jwk: await exportJWK(publicKey) };
  assert.is(await requestStatus(await forge({ jwk: await exportJWK(privateKey), header })), 401);
});

dbTest('an unknown key id is refused (CLD-2)', async () => {
  assert.is(await requestStatus(await forge({ header: { kid: 'unknown' } })), 401);
});

for (const [what, changed] of [
  ['another issuer', { payload: { iss: 'https://evil.example/auth' } }],
  ['another audience', { payload: { aud: 'https://evil.example' } }],
  ['no end', { payload: { exp: undefined } }],
  ['no grant', { payload: { grant: undefined } }],
  ['a grant that was never given', { payload: { grant: 'made-up' } }],
  ['an unknown person', { payload: { sub: 'unknown' } }],
  ['the type of an ID token', { header: { typ: 'JWT' } }],
] as const)
  dbTest(`a token with ${what} is refused (CLD-2)`, async () => {
    assert.is(await requestStatus(await forge(changed)), 401);
  });

dbTest('a changed token is refused (CLD-2)', async () => {
  const [head, , signature] = token.split('.');
  assert.is(await requestStatus(`${head}.${encode({ ...claims, sub: 'x' })}.${signature}`), 401);
  assert.is(await requestStatus(`${token}x`), 401);
  assert.is(await requestStatus('x'.repeat(5000)), 401);
});

dbTest('a token ends after ten minutes, also where clocks differ (CLD-2)', async () => {
  assert.is(await requestStatus(token), 200);
  stage.clock.shift(TOKEN_MS + 60_000);
  assert.is(await requestStatus(token), 401);
  stage.clock.shift(-2 * TOKEN_MS - 60_000);
  assert.is(await requestStatus(token), 200);
  stage.clock.shift(TOKEN_MS);
});

dbTest('a wrong token is refused although the cookie is right (CLD-2)', async () => {
  const answer = await ada.send('/me', {
    headers: { Authorization: 'Bearer x', Accept: 'application/json' },
  });
  assert.is(answer.status, 401);
});

dbTest('the cookie is out of reach of scripts and other sites (CLD-2)', () => {
  const attributes = ada.cookies.get('svc_session')?.attributes.split('; ').toSorted();
  assert.equal(attributes, ['httponly', 'max-age=43200', 'path=/', 'samesite=lax']);
});

dbTest('the secret of the cookie is not in the database (CLD-2)', async () => {
  const rows = JSON.stringify(await stage.database.sql`select * from browser_sessions`);
  assert.not(rows.includes(ada.cookie('svc_session') ?? '?'));
});

dbTest('a change by the cookie needs the second value, which GET /me gives (CLD-2)', async () => {
  const me = await ada.send('/me', { headers: { Accept: 'application/json' } });
  const { csrf } = JSON.parse(me.text) as { csrf: string };
  const create = (headers: Record<string, string>) =>
    ada.send('/teams', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: JSON.stringify({ name: 'Made by a script' }),
    });
  assert.is((await create({})).status, 403);
  assert.is((await create({ 'X-Svc-Csrf': 'x' })).status, 403);
  assert.is((await create({ 'X-Svc-Csrf': csrf })).status, 201);
});

dbTest('a form of another site is refused (CLD-2)', async () => {
  const page = await ada.open('/auth/home');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(page.hidden);
  const send = (more: Record<string, string>) =>
    ada.send('/auth/logout', { method: 'POST', headers: { ...headers, ...more }, body });
  assert.is((await send({ Origin: 'https://evil.example' })).status, 403);
  assert.is((await send({ 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.is((await ada.post('/auth/logout', {})).status, 403);
  assert.is((await ada.open('/auth/home')).status, 200);
});

dbTest(
  'no one can be logged in from another site: a login needs the token of its page (CLD-2)',
  async () => {
    const visitor = stage.visitor();
    const fields = { email: 'ada@svc.example', password: PASSWORD };
    assert.is((await visitor.post('/auth/login', fields)).status, 403);
    await visitor.open('/auth/login');
    const other = await stage.visitor().open('/auth/login');
    assert.is((await visitor.post('/auth/login', { ...fields, ...other.hidden })).status, 403);
  },
);

dbTest('a cookie that was planted before the login is worth nothing after it (CLD-2)', async () => {
  const visitor = stage.visitor();
  const planted = { value: 'p'.repeat(43), path: '/', attributes: '' };
  visitor.cookies.set('svc_session', planted);
  await visitor.logIn('ada@svc.example', PASSWORD);
  assert.is.not(visitor.cookie('svc_session'), planted.value);
  const thief = stage.visitor();
  thief.cookies.set('svc_session', planted);
  assert.is((await thief.open('/auth/home')).status, 401);
});

dbTest('a second login in a browser ends the first (CLD-2)', async () => {
  const visitor = await stage.openVisitor('ada');
  const first = stage.visitor();
  first.cookies.set('svc_session', {
    value: visitor.cookie('svc_session') ?? '',
    path: '/',
    attributes: '',
  });
  await stage.addPerson('ben');
  await visitor.fill('/auth/home', {}, '/auth/logout');
  await visitor.logIn('ben@svc.example', PASSWORD);
  assert.is((await first.open('/auth/home')).status, 401);
  assert.match((await visitor.open('/auth/home')).text, 'ben@svc.example');
});

dbTest('a login leads to an address of this origin and to no other (CLD-2)', async () => {
  const lead = async (next: string) =>
    (await stage.visitor().logIn('ada@svc.example', PASSWORD, next)).location;
  assert.is(await lead('/auth/device'), '/auth/device');
  assert.is(await lead('//evil.example/x'), '/t/');
  const visitor = stage.visitor();
  const page = await visitor.open('/auth/login');
  const fields = {
    ...page.hidden,
    email: 'ada@svc.example',
    password: PASSWORD,
    next: 'https://evil.example',
  };
  assert.is((await visitor.post('/auth/login', fields)).location, '/t/');
  assert.is((await ada.open('/auth/login?next=%2F%2Fevil.example')).location, '/t/');
});

dbTest(
  'a browser that rests for twelve hours is logged out, one that is used is not (CLD-2)',
  async () => {
    const used = await stage.openVisitor('ada');
    const rests = await stage.openVisitor('ada');
    stage.clock.shift(11 * HOUR_MS);
    assert.is((await used.open('/auth/home')).status, 200);
    stage.clock.shift(2 * HOUR_MS);
    assert.is((await used.open('/auth/home')).status, 200);
    assert.is((await rests.open('/auth/home')).status, 401);
    stage.clock.shift(-13 * HOUR_MS);
  },
);

dbTest('logged out, the cookie is worth nothing (CLD-2)', async () => {
  const visitor = await stage.openVisitor('ada');
  const value = visitor.cookie('svc_session') ?? '';
  await visitor.fill('/auth/home', {}, '/auth/logout');
  assert.is(visitor.cookie('svc_session'), undefined);
  visitor.cookies.set('svc_session', { value, path: '/', attributes: '' });
  assert.is((await visitor.open('/auth/home')).status, 401);
});

dbTest(
  'a login has an entry in the log of each team of the person, a wrong one too (CLD-2)',
  async () => {
    const teamId = await stage.addTeam('audited');
    await stage.addPerson('gil', 'viewer', teamId);
    await stage.openVisitor('gil');
    await stage.visitor().logIn('gil@svc.example', 'wrong password');
    const readEntries = () => stage.database.sql`
    select action, person, failed from audit where team_id = ${teamId} order by n`;
    // The wrong one is written beside the answer.
    while ((await readEntries()).length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      [...(await readEntries())],
      [
        { action: 'login', person: 'gil', failed: null },
        { action: 'login', person: 'gil', failed: 'unauthorized' },
      ],
    );
  },
);

dbTest('a wrong password and an unknown address get the same answer (CLD-2)', async () => {
  const readRefusal = async (email: string) => {
    const { status, text } = await stage.visitor().logIn(email, 'wrong password');
    return { status, alert: /role="alert">([^<]*)</.exec(text)?.[1] };
  };
  const wrong = await readRefusal('ada@svc.example');
  assert.is(wrong.status, 401);
  assert.equal(await readRefusal('unknown@svc.example'), wrong);
});

dbTest(
  'after ten wrong passwords of an account the right one waits for a quarter of an hour (CLD-2)',
  async () => {
    await stage.addPerson('cleo');
    // From as many addresses: a trusted proxy names them.
    const attempt = (n: number, password: string) => {
      const visitor = stage.visitor();
      const headers = {
        'X-Forwarded-For': `192.0.2.${n}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      return visitor.open('/auth/login').then(({ hidden }) =>
        visitor.send('/auth/login', {
          method: 'POST',
          headers,
          body: new URLSearchParams({ ...hidden, email: 'cleo@svc.example', password }),
        }),
      );
    };
    for (let n = 0; n < 10; n += 1) assert.is((await attempt(n, 'wrong password')).status, 401);
    assert.is((await attempt(99, PASSWORD)).status, 429);
    stage.clock.shift(LOCK_MS);
    assert.is((await attempt(99, PASSWORD)).status, 303);
  },
);

dbTest('after ten wrong passwords an address waits, whatever the account (CLD-2)', async () => {
  stage.clock.shift(LOCK_MS);
  for (let n = 0; n < 10; n += 1)
    assert.is(
      (await stage.visitor().logIn(`unknown${n}@svc.example`, 'wrong password')).status,
      401,
    );
  assert.is((await stage.visitor().logIn('ada@svc.example', PASSWORD)).status, 429);
  stage.clock.shift(LOCK_MS);
});

dbTest('right logins do not count (CLD-2)', async () => {
  for (let n = 0; n < 12; n += 1)
    assert.is((await stage.visitor().logIn('ada@svc.example', PASSWORD)).status, 303);
});

dbTest(
  'pages run no script, load nothing from elsewhere and are shown in no frame (CLD-2)',
  async () => {
    const { headers } = await stage.visitor().open('/auth/login');
    const policy = headers.get('content-security-policy') ?? '';
    assert.equal(policy.split('; '), [
      "default-src 'none'",
      "style-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  },
);

dbTest(
  'after thirty days the next key signs, and the old one still proves for an hour (CLD-2)',
  async () => {
    const states = async () =>
      Object.fromEntries(
        (
          await stage.database.sql<
            { kid: string; state: string }[]
          >`select kid, state from signing_keys`
        ).map(({ kid, state }) => [state, kid]),
      );
    const before = await states();
    stage.clock.shift(31 * 24 * HOUR_MS);
    await stage.cloud.ask('/auth/jwks');
    const after = await states();
    assert.is(after.current, before.next);
    assert.is(after.retired, before.current);
    stage.clock.reset();
    const visitor = await stage.openVisitor('ada');
    const { access_token } = await stage.logIn(visitor);
    const head = JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString());
    assert.is(head.kid, after.current);
    assert.is(await requestStatus(access_token), 200);
  },
);

test.run();
