import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage, toPath } from '../../support/cloud/peopleStage.ts';

const test = suite("cloud: the first owner's link");
const dbTest = defineDatabaseTests(test);
const FIELDS = { team: 'Acme', name: 'Ada', email: 'ada@svc.example', password: PASSWORD };

let stage: PeopleStage | undefined;
test.after.each(async () => {
  await stage?.close();
  stage = undefined;
});

async function openStage(options: Parameters<typeof PeopleStage.open>[0] = {}) {
  stage = await PeopleStage.open(options);
  return { stage, path: toPath((await stage.cloud.createOwnerLink()) ?? '') };
}

dbTest('it makes the team, its owner and a login, once (CLD-2)', async () => {
  const { stage, path } = await openStage();
  const ada = stage.visitor();
  assert.is((await ada.fill(path, FIELDS)).status, 303);
  assert.is((await ada.open('/auth/home')).status, 200);
  const rows = await stage.database.sql`
    select t.slug, u.email, m.role from members m join teams t on t.id = team_id join users u on u.id = user_id`;
  assert.equal([...rows], [{ slug: 'acme', email: 'ada@svc.example', role: 'owner' }]);
  const entries = await stage.database.sql`select n, person, action, target from audit`;
  assert.equal(
    [...entries],
    [{ n: 1, person: 'Ada', action: 'createTeam', target: { slug: 'acme' } }],
  );
  assert.is((await stage.visitor().open(path)).status, 409);
  assert.is(await stage.cloud.createOwnerLink(), null);
});

dbTest(
  'of two people with the link, or with two links, one becomes the owner (CLD-2)',
  async () => {
    const { stage, path } = await openStage();
    const other = toPath((await stage.cloud.createOwnerLink()) ?? '');
    const answers = await Promise.all(
      [path, path, other].map((one, n) =>
        stage.visitor().fill(one, { ...FIELDS, email: `p${n}@svc.example` }),
      ),
    );
    assert.equal(answers.map(({ status }) => status).toSorted(), [303, 409, 409]);
    const [row] = await stage.database.sql`select count(*) as count from users`;
    assert.is(row?.count, 1);
  },
);

dbTest('it ends after a day; a wrong one is nothing (CLD-2)', async () => {
  const { stage, path } = await openStage();
  assert.is((await stage.visitor().open(path)).status, 200);
  assert.is((await stage.visitor().open(`/auth/owner/${'x'.repeat(43)}`)).status, 409);
  stage.clock.shift(24 * 60 * 60_000);
  assert.is((await stage.visitor().open(path)).status, 409);
});

dbTest('behind https its cookie never travels without it (CLD-2)', async () => {
  const { stage, path } = await openStage({ publicUrl: 'https://svc.example' });
  const ada = stage.visitor();
  const origin = {
    Origin: 'https://svc.example',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const page = await ada.open(path);
  await ada.send(path, {
    method: 'POST',
    headers: origin,
    body: new URLSearchParams({ ...page.hidden, ...FIELDS }),
  });
  assert.ok(ada.cookies.get('__Host-svc_session')?.attributes.split('; ').includes('secure'));
});

test.run();
