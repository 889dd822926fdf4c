import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../../../support/cloud/openTestDatabase.ts';
import { PASSWORD } from '../../../support/cloud/peopleStage.ts';
import { SignOnStage } from '../../../support/cloud/signOnStage.ts';

const test = suite("cloud: logins at a company's issuer");
const dbTest = defineDatabaseTests(test);

let stage: SignOnStage;

dbTest('a person of the issuer gets an account and a login (CLD-2)', async () => {
  stage = await SignOnStage.open();
  await stage.setIssuer();
  stage.hire('ben');
  const ben = stage.people.visitor();
  const login = await ben.open('/auth/login');
  assert.match(login.text, `href="/auth/sign-on?next=%2Ft%2F"`);
  assert.not.match(login.text, 'type="password"');
  const reply = await stage.logIn(ben, 'ben', '/auth/home');
  assert.is(reply.status, 303);
  assert.is(reply.location, '/auth/home');
  assert.match((await ben.open('/auth/home')).text, 'ben@svc.example');
  const rows = await stage.people.database.sql`
    select i.subject, u.email, u.name, u.password from identities i join users u on u.id = i.user_id`;
  assert.equal(
    [...rows],
    [{ subject: 'ben', email: 'ben@svc.example', name: 'Ben', password: null }],
  );
});

dbTest('passwords are off (CLD-2)', async () => {
  const visitor = stage.people.visitor();
  const answer = await visitor.post('/auth/login', {
    email: 'ada@svc.example',
    password: PASSWORD,
  });
  assert.is(answer.status, 409);
  assert.is(visitor.cookie('svc_session'), undefined);
});

dbTest(
  'the command line of a person who was removed at the issuer cannot refresh (CLD-2)',
  async () => {
    const { client, clock } = stage.people;
    const ben = await stage.openVisitor('ben');
    const tokens = await stage.people.logIn(ben);
    const first = await client.refresh(tokens.refresh_token);
    assert.is(first.status, 200);
    delete stage.issuer.people.ben;
    clock.shift(10 * 60_000);
    const refused = await client.refresh(first.body.refresh_token);
    assert.is(refused.body.error, 'invalid_grant');
    assert.is((await stage.people.ask('/me', first.body.access_token)).status, 401);
    assert.is((await ben.open('/auth/home')).status, 401);
    assert.is((await stage.people.database.sql`select 1 from browser_sessions`).length, 0);
    clock.shift(-10 * 60_000);
  },
);

dbTest('closes', () => stage.close());

test.run();
