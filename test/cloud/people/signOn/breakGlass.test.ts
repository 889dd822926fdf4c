import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Maintenance, openMaintenance } from '../../../../src/cloud/openMaintenance.ts';
import { BREAK_GLASS_LINK_MS } from '../../../../src/cloud/people/accounts/breakGlassLinks.ts';
import { BREAK_GLASS_MS } from '../../../../src/cloud/people/signOn/confirmationRules.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../../../support/cloud/companyIssuer.ts';
import { defineDatabaseTests } from '../../../support/cloud/openTestDatabase.ts';
import { PASSWORD, toPath } from '../../../support/cloud/peopleStage.ts';
import { SignOnStage } from '../../../support/cloud/signOnStage.ts';
import { TEST_CLOUD_KEY } from '../../../support/cloud/startTestControlPlane.ts';
import { codeOfRefusal } from '../../../support/refusal.ts';

const test = suite("cloud: what only the administrator of a company's logins does");
const dbTest = defineDatabaseTests(test);

let stage: SignOnStage;
let maintenance: Maintenance;
const createSettings = () => ({
  address: stage.issuer.url,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  domains: ['SVC.example'],
  scopes: [],
  groupsClaim: 'groups',
  trustsEmail: false,
  roles: [],
});

dbTest('without an issuer there is no such link (CLD-2)', async () => {
  stage = await SignOnStage.open();
  maintenance = await openMaintenance({
    database: stage.people.cloud.databaseUrl,
    home: '/nonexistent',
    isRoot: false,
    cloudKey: TEST_CLOUD_KEY,
    otherCloudKey: null,
    clock: stage.people.clock,
  });
  assert.is(await codeOfRefusal(() => maintenance.createBreakGlassLink(null)), 'not-possible-now');
  assert.equal(await maintenance.showSignOn(), {
    redirectUri: `${stage.people.cloud.publicUrl}/auth/callback`,
    issuer: null,
  });
});

dbTest('wrong settings change nothing (CLD-2)', async () => {
  const refusal = (changes: object) =>
    codeOfRefusal(() => maintenance.setIssuer({ ...createSettings(), ...changes }));
  const away = stage.issuer.url.replace(/\d+$/, '1');
  assert.is(await refusal({ address: 'http://login.example.com' }), 'bad-argument');
  assert.is(await refusal({ address: away }), 'unreachable');
  assert.is(await refusal({ address: `${stage.issuer.url}/other` }), 'unreachable');
  assert.is(await refusal({ domains: [] }), 'bad-argument');
  assert.is(await refusal({ domains: ['example'] }), 'bad-argument');
  assert.is(await refusal({ clientSecret: null }), 'bad-argument');
  const role = { group: 'staff', team: 'none', role: 'member' };
  assert.is(await refusal({ roles: [role] }), 'not-found');
  const twice = { group: 'staff', team: 'acme', role: 'member' };
  assert.is(await refusal({ roles: [twice, twice] }), 'bad-argument');
  assert.is((await maintenance.showSignOn()).issuer, null);
});

dbTest('the secret is sealed, never shown, and stays when the rest changes (CLD-2)', async () => {
  const { issuer } = await maintenance.setIssuer(createSettings());
  assert.equal(issuer, {
    issuer: stage.issuer.url,
    clientId: CLIENT_ID,
    domains: ['svc.example'],
    scopes: [],
    groupsClaim: 'groups',
    trustsEmail: false,
    roles: [],
    isSecretReadable: true,
    connected: 0,
    accounts: 1,
  });
  const [row] = await stage.people.database.sql`select c::text as text from company_issuer c`;
  assert.not.match(row?.text, Buffer.from(CLIENT_SECRET).toString('hex'));
  const again = await maintenance.setIssuer({ ...createSettings(), clientSecret: null });
  assert.is(again.issuer?.isSecretReadable, true);
  stage.hire('ben');
  await stage.openVisitor('ben');
});

dbTest(
  'the link logs an owner in once, for an hour, while the issuer is away (CLD-2)',
  async () => {
    const { clock } = stage.people;
    stage.issuer.broken = (_req, res) => res.writeHead(503).end();
    const { url, email } = await maintenance.createBreakGlassLink(null);
    assert.is(email, 'ada@svc.example');
    const [ada, thief] = [stage.people.visitor(), stage.people.visitor()];
    const stolen = await thief.open(toPath(url));
    assert.is((await ada.fill(toPath(url), { owner: 'yes' })).status, 303);
    assert.is((await thief.post(toPath(url), { ...stolen.hidden, owner: 'yes' })).status, 409);
    clock.shift(BREAK_GLASS_MS - 1000);
    assert.is((await ada.open('/auth/home')).status, 200);
    clock.shift(1000);
    assert.is((await ada.open('/auth/home')).status, 401);
    clock.shift(-BREAK_GLASS_MS);
    stage.issuer.broken = null;
    assert.equal(
      (await stage.listAudit()).map(({ action, person }) => [action, person]),
      [
        ['setIssuer', null],
        ['setIssuer', null],
        ['createOwnerLink', 'ada'],
        ['ownerLinkLogin', 'ada'],
      ],
    );
  },
);

dbTest('it ends after a quarter of an hour, and with a newer one (CLD-2)', async () => {
  const first = await maintenance.createBreakGlassLink('ada@svc.example');
  const second = await maintenance.createBreakGlassLink('ada@svc.example');
  assert.is((await stage.people.visitor().open(toPath(first.url))).status, 409);
  assert.is((await stage.people.visitor().open(toPath(second.url))).status, 200);
  stage.people.clock.shift(BREAK_GLASS_LINK_MS);
  assert.is((await stage.people.visitor().open(toPath(second.url))).status, 409);
  stage.people.clock.shift(-BREAK_GLASS_LINK_MS);
});

dbTest('only owners get one, and of several one must be named (CLD-2)', async () => {
  await stage.people.addPerson('cyd', 'member', stage.teamId);
  const refusal = (email: string | null) =>
    codeOfRefusal(() => maintenance.createBreakGlassLink(email));
  assert.is(await refusal('cyd@svc.example'), 'not-found');
  await stage.people.addPerson('dan', 'owner', stage.teamId);
  assert.is(await refusal(null), 'bad-argument');
});

dbTest('links for passwords are refused, until the issuer is removed (CLD-2)', async () => {
  const refusal = await codeOfRefusal(() => maintenance.createPasswordLink('ada@svc.example'));
  assert.is(refusal, 'not-possible-now');
  await maintenance.removeIssuer();
  assert.is((await stage.people.visitor().logIn('ada@svc.example', PASSWORD)).status, 303);
  assert.is(await codeOfRefusal(() => maintenance.removeIssuer()), 'not-found');
});

dbTest('a disconnected account has no logins, and takes another person (CLD-2)', async () => {
  await maintenance.setIssuer(createSettings());
  const ben = await stage.openVisitor('ben');
  await maintenance.unlinkAccount('ben@svc.example');
  assert.is((await ben.open('/auth/home')).status, 401);
  assert.is(await codeOfRefusal(() => maintenance.unlinkAccount('ben@svc.example')), 'not-found');
  assert.is((await stage.logIn(stage.people.visitor(), 'ben')).status, 403);
});

dbTest('closes', async () => {
  await maintenance.close();
  await stage.close();
});

test.run();
