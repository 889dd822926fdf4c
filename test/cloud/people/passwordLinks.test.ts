import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { type Maintenance, openMaintenance } from '../../../src/cloud/openMaintenance.ts';
import { PASSWORD_LINK_MS } from '../../../src/cloud/people/accounts/passwordLinks.ts';
import { createTestDatabase, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage, toPath } from '../../support/cloud/peopleStage.ts';

const test = suite('cloud: links for a new password and for the first owner');
const dbTest = defineDatabaseTests(test);

const NEW_PASSWORD = 'another horse';

let stage: PeopleStage | undefined;
let maintenance: Maintenance | undefined;
test.after.each(async () => {
  await maintenance?.close();
  await stage?.close();
  [stage, maintenance] = [undefined, undefined];
});

const openWithDatabase = (database: string, clock?: PeopleStage['clock']) =>
  openMaintenance({
    database,
    home: '/nonexistent',
    isRoot: false,
    cloudKey: null,
    otherCloudKey: null,
    ...(clock ? { clock } : {}),
  });

/** A control plane with Ada and Ben in a team, and what its owner can do. */
async function openStage() {
  stage = await PeopleStage.open();
  const teamId = await stage.addTeam('acme');
  await stage.addPerson('ada', 'owner', teamId);
  await stage.addPerson('ben', 'member', teamId);
  maintenance = await openWithDatabase(stage.cloud.databaseUrl, stage.clock);
  return { stage, maintenance };
}

async function refuse(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
  throw new Error('it was not refused');
}

dbTest(
  'a person chooses a new password with the link, once, and is logged in (CLD-2)',
  async () => {
    const { stage, maintenance } = await openStage();
    const { url, email } = await maintenance.createPasswordLink(' Ada@svc.example ');
    assert.is(email, 'ada@svc.example');
    assert.ok(url.startsWith(`${stage.cloud.publicUrl}/auth/password/`));
    const ada = stage.visitor();
    assert.is((await ada.fill(toPath(url), { password: NEW_PASSWORD })).status, 303);
    assert.is((await ada.open('/auth/home')).status, 200);
    assert.is((await stage.visitor().open(toPath(url))).status, 409);
    assert.is((await stage.visitor().logIn(email, NEW_PASSWORD)).status, 303);
    assert.is((await stage.visitor().logIn(email, PASSWORD)).status, 401);
  },
);

dbTest('the logins of the person end, and those of others do not (CLD-2)', async () => {
  const { stage, maintenance } = await openStage();
  const [ada, ben] = [await stage.openVisitor('ada'), await stage.openVisitor('ben')];
  const [adaTokens, benTokens] = [await stage.logIn(ada), await stage.logIn(ben)];
  const { url } = await maintenance.createPasswordLink('ada@svc.example');
  const me = (token: string) => stage.ask('/me', token);
  assert.is((await me(adaTokens.access_token)).status, 200);
  await stage.visitor().fill(toPath(url), { password: NEW_PASSWORD });
  assert.is((await me(adaTokens.access_token)).status, 401);
  assert.is((await me(benTokens.access_token)).status, 200);
  assert.is((await ada.open('/auth/home')).status, 401);
  assert.is((await ben.open('/auth/home')).status, 200);
  assert.is((await stage.client.refresh(adaTokens.refresh_token)).status, 400);
  assert.is((await stage.client.refresh(benTokens.refresh_token)).status, 200);
});

dbTest('it ends after an hour, and when a newer one is made (CLD-2)', async () => {
  const { stage, maintenance } = await openStage();
  const first = await maintenance.createPasswordLink('ada@svc.example');
  const second = await maintenance.createPasswordLink('ada@svc.example');
  const open = async (url: string) => (await stage.visitor().open(toPath(url))).status;
  assert.equal([await open(first.url), await open(second.url)], [409, 200]);
  stage.clock.shift(PASSWORD_LINK_MS);
  assert.is(await open(second.url), 409);
});

dbTest('a short password is refused, and the link stays good (CLD-2)', async () => {
  const { stage, maintenance } = await openStage();
  const { url } = await maintenance.createPasswordLink('ada@svc.example');
  const ada = stage.visitor();
  assert.is((await ada.fill(toPath(url), { password: 'short' })).status, 422);
  assert.is((await ada.fill(toPath(url), { password: NEW_PASSWORD })).status, 303);
});

dbTest('an address without an account, and an owner who exists, are refused', async () => {
  const { maintenance } = await openStage();
  assert.is(await refuse(maintenance.createPasswordLink('eve@svc.example')), 'not-found');
  assert.is(await maintenance.createOwnerLink(), null);
});

dbTest('before the first account it makes the link of the first owner (CLD-2)', async () => {
  stage = await PeopleStage.open();
  maintenance = await openWithDatabase(stage.cloud.databaseUrl);
  const link = await maintenance.createOwnerLink();
  assert.is((await stage.visitor().open(toPath(link ?? ''))).status, 200);
});

dbTest(
  'a database that no control plane has used is refused, and nothing is made in it',
  async () => {
    const empty = await createTestDatabase('empty');
    assert.is(await refuse(openWithDatabase(empty)), 'not-possible-now');
    assert.is(await refuse(openWithDatabase(empty)), 'not-possible-now');
    assert.is(await refuse(openWithDatabase(await createTestDatabase())), 'not-possible-now');
    const home = { database: null, home: '/nonexistent', isRoot: false, cloudKey: null };
    assert.is(await refuse(openMaintenance(home)), 'not-possible-now');
  },
);

test.run();
