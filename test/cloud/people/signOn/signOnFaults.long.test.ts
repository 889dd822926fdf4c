import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logInByPassword } from '../../../../cli/cloud/logInByPassword.ts';
import { discoverCloud } from '../../../../cli/cloud/oauthTokens.ts';
import { defineDatabaseTests } from '../../../support/cloud/openTestDatabase.ts';
import type { HtmlVisitor, VisitedPage } from '../../../support/cloud/htmlVisitor.ts';
import { PASSWORD, toPath } from '../../../support/cloud/peopleStage.ts';
import { CLIENT_SECRET, type ForgedToken } from '../../../support/cloud/companyIssuer.ts';
import { SignOnStage } from '../../../support/cloud/signOnStage.ts';
import {
  ISSUER_AWAY_MS,
  UNCONFIRMED_MS,
} from '../../../../src/cloud/people/signOn/confirmationRules.ts';
import { ATTEMPT_MS } from '../../../../src/cloud/people/signOn/signOnAttempt.ts';
import {
  SIGN_ON_FAULTS,
  type SignOnFault,
} from '../../../../src/cloud/people/signOn/signOnFaults.ts';

const test = suite("cloud: what goes wrong at a company's issuer");
const dbTest = defineDatabaseTests(test);

let stage: SignOnStage;
test.after.each(() => {
  stage.issuer.broken = null;
});

/** The page of this fault, and no one is logged in. */
function assertFault(page: VisitedPage, fault: SignOnFault, visitor?: HtmlVisitor): void {
  const { title, status } = SIGN_ON_FAULTS[fault];
  assert.is(page.status, status, page.text);
  assert.ok(page.text.includes(`<h1>${title.replaceAll("'", '&#39;')}</h1>`), page.text);
  assert.match(page.text, '/auth/sign-on?next=');
  if (visitor) assert.is(visitor.cookie('svc_session'), undefined);
}

async function assertRefused(subject: string, fault: SignOnFault): Promise<void> {
  const visitor = stage.people.visitor();
  assertFault(await stage.logIn(visitor, subject), fault, visitor);
}

dbTest('opens', async () => {
  stage = await SignOnStage.open();
  await stage.setIssuer();
  stage.hire('ben');
});

dbTest(
  'an address that is not verified, or of another domain, gets no account (CLD-2)',
  async () => {
    stage.hire('eve', { email_verified: false });
    await assertRefused('eve', 'unverified');
    stage.hire('eve', { email: 'eve@other.example' });
    await assertRefused('eve', 'domain');
    stage.issuer.people.eve = { name: 'Eve' };
    await assertRefused('eve', 'no-email');
    const [row] = await stage.people.database
      .sql`select count(*) as count from users where email like 'eve%'`;
    assert.is(row?.count, 0);
  },
);

dbTest(
  'the same address at the issuer does not open an account with a password (CLD-2)',
  async () => {
    stage.hire('ada');
    await assertRefused('ada', 'not-linked');
    assert.equal((await stage.listAudit()).at(-1), {
      action: 'login',
      person: 'ada',
      target: { by: 'issuer', reason: 'not-linked' },
      failed: 'forbidden',
    });
  },
);

dbTest(
  'an answer counts once, in the browser that began the login, for ten minutes (CLD-2)',
  async () => {
    const visitor = stage.people.visitor();
    const answer = await stage.visitIssuer(visitor, 'ben');
    const cookies = new Map(visitor.cookies);
    assertFault(await stage.people.visitor().open(answer), 'lost');
    assert.is((await visitor.open(answer)).status, 303);
    const thief = stage.people.visitor();
    for (const [name, cookie] of cookies) thief.cookies.set(name, cookie);
    assertFault(await thief.open(answer), 'lost', thief);
    const late = stage.people.visitor();
    const lateAnswer = await stage.visitIssuer(late, 'ben');
    stage.people.clock.shift(ATTEMPT_MS);
    assertFault(await late.open(lateAnswer), 'lost', late);
    stage.people.clock.shift(-ATTEMPT_MS);
  },
);

dbTest('an answer with the code of another login is refused (CLD-2)', async () => {
  const visitor = stage.people.visitor();
  const other = stage.people.visitor();
  const mine = new URL(await stage.visitIssuer(visitor, 'ben'), stage.people.cloud.url);
  const theirs = new URL(await stage.visitIssuer(other, 'ben'), stage.people.cloud.url);
  mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
  assertFault(await visitor.open(toPath(mine.href)), 'lost', visitor);
});

dbTest('the answer of another issuer is refused (CLD-2)', async () => {
  const visitor = stage.people.visitor();
  const answer = new URL(await stage.visitIssuer(visitor, 'ben'), stage.people.cloud.url);
  answer.searchParams.set('iss', 'https://evil.example');
  assertFault(await visitor.open(toPath(answer.href)), 'misconfigured', visitor);
});

dbTest('what the issuer writes about an error is not shown (CLD-2)', async () => {
  for (const [error, fault] of [
    ['access_denied', 'denied'],
    ['temporarily_unavailable', 'away'],
    ['<script>alert(1)</script>', 'misconfigured'],
  ] as const) {
    const visitor = stage.people.visitor();
    const answer = new URL(await stage.visitIssuer(visitor, 'ben'), stage.people.cloud.url);
    answer.searchParams.delete('code');
    answer.searchParams.set('error', error);
    answer.searchParams.set('error_description', '<script>alert(2)</script>');
    const page = await visitor.open(toPath(answer.href));
    assertFault(page, fault, visitor);
    assert.not.match(page.text, 'alert(');
  }
});

for (const next of [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
])
  dbTest(`a login does not lead to ${next} (CLD-2)`, async () => {
    const reply = await stage.logIn(stage.people.visitor(), 'ben', next);
    assert.is(reply.location, '/t/');
  });

const PERSON = { sub: 'ben', email: 'ben@svc.example', email_verified: true };

/** A login whose ID token is this one. */
async function logInWith(forge: (nonce: string) => ForgedToken): Promise<VisitedPage> {
  const visitor = stage.people.visitor();
  const started = await visitor.open('/auth/sign-on');
  const { searchParams } = new URL(started.location ?? '');
  await stage.issuer.forgeToken(forge(searchParams.get('nonce') ?? ''));
  const query = new URLSearchParams({
    code: 'x',
    state: searchParams.get('state') ?? '',
    iss: stage.issuer.url,
  });
  const page = await visitor.open(`/auth/callback?${query}`);
  stage.issuer.broken = null;
  return page;
}

dbTest('a token by the issuer, for svc and this login, is taken (CLD-2)', async () => {
  const page = await logInWith((nonce) => ({ claims: { ...PERSON, nonce } }));
  assert.is(page.status, 303, page.text);
});

for (const [what, forge] of [
  ['another audience', (nonce) => ({ claims: { ...PERSON, nonce, aud: 'another' } })],
  [
    'two audiences without svc as party',
    (nonce) => ({
      claims: { ...PERSON, nonce, aud: ['svc-control-plane', 'another'], azp: 'another' },
    }),
  ],
  ['another issuer', (nonce) => ({ claims: { ...PERSON, nonce, iss: 'https://evil.example' } })],
  ['another login', () => ({ claims: { ...PERSON, nonce: 'x' } })],
  ['no login', () => ({ claims: PERSON })],
  ['the past', (nonce) => ({ claims: { ...PERSON, nonce, exp: 1_000_000_000 } })],
] as const satisfies readonly (readonly [string, (nonce: string) => ForgedToken])[])
  dbTest(`a token for ${what} is refused (CLD-2)`, async () => {
    assertFault(await logInWith(forge), 'misconfigured');
  });

dbTest(
  'a token that is not signed, or with the secret of the client, is refused (CLD-2)',
  async () => {
    const secret = new TextEncoder().encode(CLIENT_SECRET);
    for (const key of [null, secret])
      assertFault(
        await logInWith((nonce) => ({ claims: { ...PERSON, nonce }, key })),
        'misconfigured',
      );
  },
);

dbTest('new keys of the issuer count at once (CLD-2)', async () => {
  assert.is((await stage.logIn(stage.people.visitor(), 'ben')).status, 303);
  await stage.issuer.rotateKeys();
  assert.is((await stage.logIn(stage.people.visitor(), 'ben')).status, 303);
});

dbTest('a token by a key that the issuer does not name is refused (CLD-2)', async () => {
  const visitor = stage.people.visitor();
  const answer = await stage.visitIssuer(visitor, 'ben');
  const keys = await stage.issuer.readKeys();
  stage.issuer.fake('/jwks', {
    keys: keys.map((key) => ({ ...key, n: `${key.n?.slice(0, -4)}AAAA` })),
  });
  assertFault(await visitor.open(answer), 'misconfigured', visitor);
});

dbTest('an issuer that is away, redirects or sends too much is a page (CLD-2)', async () => {
  const visitor = stage.people.visitor();
  for (const broken of [
    (_req, res) => res.socket?.destroy(),
    (_req, res) => res.writeHead(503).end('<h1>down</h1>'),
    (_req, res) => res.writeHead(302, { Location: 'https://evil.example/' }).end(),
    (_req, res) =>
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(' '.repeat(600 * 1024)),
  ] as NonNullable<typeof stage.issuer.broken>[]) {
    const answer = await stage.visitIssuer(visitor, 'ben');
    stage.issuer.broken = broken;
    assertFault(await visitor.open(answer), 'away', visitor);
    stage.issuer.broken = null;
  }
});

dbTest(
  'while the issuer is away, logins last for four hours, and come back with it (CLD-2)',
  async () => {
    const { client, clock } = stage.people;
    const ben = await stage.openVisitor('ben');
    const tokens = await stage.people.logIn(ben);
    stage.issuer.broken = (_req, res) => res.writeHead(503).end();
    clock.shift(ISSUER_AWAY_MS - 60_000);
    const soon = await client.refresh(tokens.refresh_token);
    assert.is(soon.status, 200);
    assert.is((await ben.open('/auth/home')).status, 200);
    clock.shift(120_000);
    const late = await client.refresh(soon.body.refresh_token);
    assert.is(late.status, 503);
    assert.is((await ben.open('/auth/home')).status, 401);
    stage.issuer.broken = null;
    clock.shift(60_000);
    assert.is((await client.refresh(soon.body.refresh_token)).status, 200);
    assert.is((await ben.open('/auth/home')).status, 200);
    clock.shift(-ISSUER_AWAY_MS - 120_000);
  },
);

dbTest(
  'a node without the key for the secret of the client has a page of its own (CLD-2)',
  async () => {
    const { database } = stage.people;
    await database.sql`update company_issuer set client_secret = '\\x00'`;
    const page = await stage.people.visitor().open('/auth/sign-on');
    assertFault(page, 'no-key');
    await stage.setIssuer();
  },
);

dbTest('without a refresh token a login ends after twelve hours (CLD-2)', async () => {
  const { client, clock, database } = stage.people;
  const ben = await stage.openVisitor('ben');
  const tokens = await stage.people.logIn(ben);
  await database.sql`update identities set refresh_token = null`;
  clock.shift(UNCONFIRMED_MS - 60 * 60_000);
  const soon = await client.refresh(tokens.refresh_token);
  assert.is(soon.status, 200);
  clock.shift(60 * 60_000);
  assert.is((await client.refresh(soon.body.refresh_token)).body.error, 'invalid_grant');
  clock.shift(-UNCONFIRMED_MS);
});

dbTest('another person with the same address is refused, not merged (CLD-2)', async () => {
  stage.hire('ben2', { email: 'ben@svc.example' });
  await assertRefused('ben2', 'other-subject');
  const [row] = await stage.people.database.sql`select count(*) as count from identities`;
  assert.is(row?.count, 1);
});

dbTest(
  'who is logged in connects the account, and the login by the issuer then opens it (CLD-2)',
  async () => {
    const { database } = stage.people;
    await database.sql`delete from company_issuer`;
    const ada = await stage.people.openVisitor('ada');
    await stage.setIssuer();
    assert.match((await ada.open('/auth/home')).text, '/auth/sign-on?next=%2Fauth%2Fhome');
    const question = await stage.logIn(ada, 'ada');
    assert.is(question.status, 200);
    assert.match(question.text, 'Connect your account?');
    assert.is((await ada.post('/auth/connect', { ...question.hidden, csrf: 'x' })).status, 403);
    assert.is((await ada.post('/auth/connect', question.hidden)).status, 303);
    assert.is((await ada.post('/auth/connect', question.hidden)).status, 403);
    assert.not.match((await ada.open('/auth/home')).text, 'Connect your account');
    const again = await stage.openVisitor('ada');
    assert.match((await again.open('/auth/home')).text, 'owner');
    assert.ok((await stage.listAudit()).some(({ action }) => action === 'connectIdentity'));
  },
);

dbTest(
  'an invitation of the team connects an account, one of another team does not (CLD-2)',
  async () => {
    const { database } = stage.people;
    await stage.people.addPerson('cyd', 'member', stage.teamId);
    stage.hire('cyd');
    const ada = await stage.openVisitor('ada');
    const { csrf, userId } = JSON.parse((await ada.open('/me')).text);
    const invite = async (teamId: string): Promise<string> => {
      const invitation = await ada.send(`/teams/${teamId}/invitations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Svc-Csrf': csrf },
        body: JSON.stringify({ role: 'member' }),
      });
      return toPath(JSON.parse(invitation.text).url);
    };
    const cyd = stage.people.visitor();
    const otherId = await stage.people.addTeam('other');
    await database.sql`
    insert into members (team_id, user_id, role, created_at) values (${otherId}, ${userId}, 'owner', now())`;
    const foreign = await invite(otherId);
    assertFault(await stage.logIn(cyd, 'cyd', foreign), 'not-linked', cyd);
    const own = await invite(stage.teamId);
    assert.not.match((await cyd.open(own)).text, 'type="password"');
    const question = await stage.logIn(cyd, 'cyd', own);
    assert.is(question.status, 200);
    const reply = await cyd.post('/auth/connect', question.hidden);
    assert.is(reply.location, own);
    assert.match((await cyd.open(own)).text, 'cyd@svc.example');
  },
);

dbTest('roles follow the groups, at each login and each refresh (CLD-2)', async () => {
  const { client, clock, database } = stage.people;
  const roles = [
    { group: 'leads', team: 'acme', role: 'admin' as const },
    { group: 'staff', team: 'acme', role: 'member' as const },
  ];
  await stage.setIssuer({ roles });
  stage.hire('dan');
  await assertRefused('dan', 'no-groups');
  const readRole = async () => {
    const [row] = await database.sql`
      select role from members where user_id = (select id from users where email = 'dan@svc.example')`;
    return row?.role ?? null;
  };
  stage.hire('dan', { groups: ['staff', 'others'] });
  const dan = await stage.openVisitor('dan');
  assert.is(await readRole(), 'member');
  const tokens = await stage.people.logIn(dan);
  stage.hire('dan', { groups: ['staff', 'leads'] });
  clock.shift(120_000);
  const second = await client.refresh(tokens.refresh_token);
  assert.is(second.status, 200);
  assert.is(await readRole(), 'admin');
  stage.hire('dan', { groups: [] });
  clock.shift(120_000);
  assert.is((await client.refresh(second.body.refresh_token)).status, 200);
  assert.is(await readRole(), null);
  clock.shift(-240_000);
  const changes = (await stage.listAudit()).filter(
    ({ action, person }) => action === 'groupRole' && person === 'Dan',
  );
  assert.equal(
    changes.map(({ target }) => 'role' in target && target.role),
    ['member', 'admin', 'none'],
  );
});

dbTest('the last owner stays one, whatever the groups say (CLD-2)', async () => {
  stage.hire('ada', { groups: [] });
  await stage.openVisitor('ada');
  const rows = await stage.people.database.sql`
    select u.email from members m join users u on u.id = m.user_id where m.role = 'owner' and m.team_id = ${stage.teamId}`;
  assert.equal([...rows], [{ email: 'ada@svc.example' }]);
  const last = (await stage.listAudit()).findLast(({ action }) => action === 'groupRole');
  assert.is(last?.failed, 'not-possible-now');
});

dbTest('the command line says what to use instead of a password (CLD-2)', async () => {
  const place = {
    io: { fetch, after: () => () => undefined },
    url: stage.people.cloud.publicUrl,
    version: '0.0.0',
  };
  const account = { email: 'ada@svc.example', password: PASSWORD };
  const refusal = await logInByPassword(place, await discoverCloud(place), account).catch(
    (error: Error) => error,
  );
  assert.match(refusal instanceof Error ? refusal.message : '', '--device');
});

dbTest('closes', () => stage.close());

test.run();
