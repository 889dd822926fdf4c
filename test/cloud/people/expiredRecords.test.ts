import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { removeExpiredRecords } from '../../../src/cloud/people/issuer/removeExpiredRecords.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PeopleStage } from '../../support/cloud/peopleStage.ts';

const test = suite('cloud: what logins leave in the database');
const dbTest = defineDatabaseTests(test);
const HOUR_MS = 3_600_000;

dbTest('is removed once it has expired, and not before (CLD-2)', async () => {
  const stage = await PeopleStage.open();
  const { clock, client, database } = stage;
  const countByModel = async (): Promise<Record<string, number>> => {
    await removeExpiredRecords(database, clock);
    const rows = await database.sql`
      select model, count(*)::int as count from oauth_records group by model order by model`;
    return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
  };
  await stage.addPerson('ada');
  const ada = await stage.openVisitor('ada');
  const tokens = await stage.logIn(ada);
  await stage.visitor().logIn('ada@svc.example', 'wrong');
  await client.startDevice();
  await stage.openConsent(ada, client.startAuthorization().path);

  const { AuthorizationCode, DeviceCode, Grant, Interaction, RefreshToken, Session, ...tries } =
    await countByModel();
  assert.equal(
    { AuthorizationCode, DeviceCode, Grant, RefreshToken },
    { AuthorizationCode: 1, DeviceCode: 1, Grant: 1, RefreshToken: 1 },
  );
  assert.ok(Number(Interaction) > 0 && Number(Session) > 0);
  assert.is(Object.keys(tries).length, 1);
  const [row] =
    await database.sql`select count(*)::int as n from oauth_records where expires_at is null`;
  assert.is(row?.n, 0);

  // What a login lasts for stays; what it took to log in goes.
  clock.shift(2 * HOUR_MS);
  assert.equal(await countByModel(), { Grant: 1, RefreshToken: 1 });
  assert.is((await client.refresh(tokens.refresh_token)).status, 200);

  clock.shift(366 * 24 * HOUR_MS);
  assert.equal(await countByModel(), {});
  await stage.close();
});

test.run();
