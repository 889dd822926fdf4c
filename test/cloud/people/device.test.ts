import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PeopleStage } from '../../support/cloud/peopleStage.ts';
import type { HtmlVisitor } from '../../support/cloud/htmlVisitor.ts';

const test = suite('cloud: authorization of a device');
const dbTest = defineDatabaseTests(test);
const STEP_MS = 5000;
const LOCK_MS = 15 * 60_000;

let stage: PeopleStage;
let ada: HtmlVisitor;

if (postgresPrograms.length > 0)
  test.before(async () => {
    stage = await PeopleStage.open();
    await stage.addPerson('ada');
    ada = await stage.openVisitor('ada');
  });
test.after(() => stage?.close());

async function poll(deviceCode: string) {
  stage.clock.shift(STEP_MS);
  return stage.client.poll(deviceCode);
}

/** Types the code, and answers the question. */
async function answerDevice(visitor: HtmlVisitor, code: string, answer: string) {
  const question = await visitor.fill('/auth/device', { code });
  return visitor.post('/auth/device', { ...question.hidden, answer });
}

dbTest('a typed code that is allowed logs the machine in, once (CLD-2)', async () => {
  const device = await stage.client.startDevice('pool-1');
  assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assert.is(device.expires_in, 600);
  assert.is((await poll(device.device_code)).body.error, 'authorization_pending');
  const question = await ada.fill('/auth/device', { code: device.user_code.toLowerCase() });
  assert.match(question.text, 'pool-1');
  assert.match(question.text, '127.0.0.1');
  assert.is((await ada.post('/auth/device', { ...question.hidden, answer: 'allow' })).status, 200);
  const { status, body } = await poll(device.device_code);
  assert.is(status, 200);
  assert.is((await stage.ask('/me', body.access_token)).status, 200);
  assert.is((await stage.client.refresh(body.refresh_token)).status, 200);
  assert.is((await poll(device.device_code)).body.error, 'invalid_grant');
});

dbTest('a code that is denied logs no one in (CLD-2)', async () => {
  const device = await stage.client.startDevice();
  await answerDevice(ada, device.user_code, 'deny');
  assert.is((await poll(device.device_code)).body.error, 'access_denied');
});

dbTest('a code counts once: what was answered cannot be answered again (CLD-2)', async () => {
  const device = await stage.client.startDevice();
  await answerDevice(ada, device.user_code, 'deny');
  assert.is((await ada.fill('/auth/device', { code: device.user_code })).status, 422);
});

dbTest('who polls too early gets slow_down, and waits longer from then on (CLD-2)', async () => {
  const device = await stage.client.startDevice();
  assert.is((await stage.client.poll(device.device_code)).body.error, 'authorization_pending');
  assert.is((await stage.client.poll(device.device_code)).body.error, 'slow_down');
  assert.is((await poll(device.device_code)).body.error, 'slow_down');
  stage.clock.shift(3 * STEP_MS);
  assert.is((await stage.client.poll(device.device_code)).body.error, 'authorization_pending');
});

dbTest('a code in the address is not filled in (CLD-2)', async () => {
  const device = await stage.client.startDevice();
  const page = await ada.open(`/auth/device?user_code=${device.user_code}`);
  assert.not.match(page.text, device.user_code);
});

dbTest('a code needs a login, and the login leads back to it (CLD-2)', async () => {
  const page = await stage.visitor().open('/auth/device');
  assert.is(page.status, 401);
  assert.is(page.hidden.next, '/auth/device');
});

dbTest('a code without the token of its page is refused (CLD-2)', async () => {
  const device = await stage.client.startDevice();
  const { user_code: code } = device;
  assert.is((await ada.post('/auth/device', { code, answer: 'allow' })).status, 403);
  assert.is((await poll(device.device_code)).body.error, 'authorization_pending');
});

dbTest('neither code is in the database as it is (CLD-2)', async () => {
  const device = await stage.client.startDevice();
  const rows = JSON.stringify(await stage.database.sql`select * from oauth_records`);
  assert.not(rows.includes(device.device_code));
  assert.not(rows.includes(device.user_code.replace('-', '')));
});

dbTest(
  'after five wrong codes the right one is refused too, for a quarter of an hour (CLD-2)',
  async () => {
    stage.clock.shift(LOCK_MS);
    const device = await stage.client.startDevice();
    await stage.addPerson('mallory');
    const mallory = await stage.openVisitor('mallory');
    for (let count = 0; count < 5; count += 1)
      assert.is(
        (await mallory.fill('/auth/device', { code: `BBBB-BBB${'BCDFG'[count]}` })).status,
        422,
      );
    const refused = await mallory.fill('/auth/device', { code: device.user_code });
    assert.is(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 800);
    stage.clock.shift(LOCK_MS);
    assert.is((await mallory.fill('/auth/device', { code: 'BBBB-BBBB' })).status, 422);
  },
);

dbTest('fifty guesses at the same time are five (CLD-2)', async () => {
  stage.clock.shift(LOCK_MS);
  const page = await ada.open('/auth/device');
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      ada.post('/auth/device', { ...page.hidden, code: 'CCCC-CCCC' }),
    ),
  );
  assert.is(answers.filter(({ status }) => status === 422).length, 5);
  assert.is(answers.filter(({ status }) => status === 429).length, 45);
});

dbTest(
  'a code that has expired cannot be allowed, and its machine gets expired_token (CLD-2)',
  async () => {
    stage.clock.shift(LOCK_MS);
    const device = await stage.client.startDevice();
    await stage.database.sql`
    update oauth_records set payload = payload || '{"exp": 1}'
    where model = 'DeviceCode' and expires_at = (select max(expires_at) from oauth_records where model = 'DeviceCode')`;
    assert.is((await stage.client.poll(device.device_code)).body.error, 'expired_token');
    stage.clock.shift(10 * 60_000);
    assert.is((await ada.fill('/auth/device', { code: device.user_code })).status, 422);
  },
);

test.run();
