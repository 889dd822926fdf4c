import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import type { TeamRole } from '../../../src/contract/schema/cloud/teamRole.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { HtmlVisitor } from '../../support/cloud/htmlVisitor.ts';
import { PASSWORD, PeopleStage, toPath } from '../../support/cloud/peopleStage.ts';

const test = suite('cloud: teams and their members');
const dbTest = defineDatabaseTests(test);
const DAY_MS = 24 * 60 * 60_000;

let stage: PeopleStage;

if (postgresPrograms.length > 0)
  test.before(async () => {
    stage = await PeopleStage.open();
  });
test.after(() => stage?.close());

/** A person of a new team, asking as the dashboard does. */
class Caller {
  readonly visitor: HtmlVisitor;
  readonly id: string;
  readonly csrf: string;
  private constructor(visitor: HtmlVisitor, id: string, csrf: string) {
    this.visitor = visitor;
    this.id = id;
    this.csrf = csrf;
  }

  static async join(name: string, role: TeamRole, teamId: string): Promise<Caller> {
    await stage.addPerson(name, role, teamId);
    return Caller.of(await stage.openVisitor(name));
  }

  static async of(visitor: HtmlVisitor): Promise<Caller> {
    const { text } = await visitor.send('/me', { headers: { Accept: 'application/json' } });
    const { userId, csrf } = JSON.parse(text) as { userId: string; csrf: string };
    return new Caller(visitor, userId, csrf);
  }

  async ask(method: string, path: string, body?: object) {
    const { status, text } = await this.visitor.send(path, {
      method,
      headers: {
        Accept: 'application/json',
        'X-Svc-Csrf': this.csrf,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status, body: text === '' ? null : JSON.parse(text) };
  }
}

dbTest('a person without a team creates one on the page after the login (CLD-2)', async () => {
  await stage.addPerson('solo');
  const solo = await stage.openVisitor('solo');
  assert.is((await solo.open('/t/')).location, '/auth/home');
  // No team could take the machine.
  assert.not((await solo.open('/auth/home')).text.includes('svc login'));
  assert.is((await solo.fill('/auth/home', { name: ' ' })).status, 422);
  const reply = await solo.fill('/auth/home', { name: 'Data Science' });
  assert.equal([reply.status, reply.location], [303, '/t/data-science/']);
  const { text } = await solo.send('/me', { headers: { Accept: 'application/json' } });
  const { teams } = JSON.parse(text);
  assert.equal(
    teams.map(({ slug, role }: { slug: string; role: string }) => [slug, role]),
    [['data-science', 'owner']],
  );
  assert.ok((await solo.open('/auth/home')).text.includes('svc login'));
});

dbTest('a form from elsewhere creates no team', async () => {
  await stage.addPerson('forged');
  const forged = await stage.openVisitor('forged');
  assert.is((await forged.post('/auth/home', { name: 'X', csrf: 'x' })).status, 403);
});

let count = 0;
async function openTeam(): Promise<{ team: string; owner: Caller }> {
  count += 1;
  const team = await stage.addTeam(`team-${count}`);
  return { team, owner: await Caller.join(`owner${count}`, 'owner', team) };
}

const readRoles = async (team: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await stage.database.sql`
      select u.name, m.role from members m join users u on u.id = m.user_id where team_id = ${team}`
    ).map((row) => [String(row.name), String(row.role)]),
  );

dbTest('who creates a team owns it, and its slug comes from its name (CLD-2)', async () => {
  await stage.addPerson('ada');
  const ada = await Caller.of(await stage.openVisitor('ada'));
  const { status, body } = await ada.ask('POST', '/teams', { name: 'Ärzte & Co' });
  assert.is(status, 201);
  assert.is(body.slug, 'arzte-co');
  assert.is(body.role, 'owner');
  assert.is((await ada.ask('POST', '/teams', { name: 'ärzte, co.' })).body.slug, 'arzte-co-2');
  assert.is((await ada.ask('POST', '/teams', { name: 'Other', slug: 'arzte-co' })).status, 409);
  assert.is((await ada.ask('POST', '/teams', { name: 'Other', slug: '-Bad-' })).status, 422);
  assert.is((await ada.ask('POST', '/teams', { name: '  ' })).status, 422);
});

dbTest('no slug is the id of another team (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  assert.is((await owner.ask('POST', '/teams', { name: 'Other', slug: team })).status, 409);
});

dbTest('a team is renamed, and found by id and slug (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const renamed = await owner.ask('PATCH', `/teams/${team}`, { name: 'New', slug: 'brand-new' });
  assert.is(renamed.body.name, 'New');
  assert.is((await owner.ask('GET', '/teams/brand-new')).body.id, team);
  assert.is(
    (await owner.ask('PATCH', '/teams/brand-new', { name: 'Newer' })).body.slug,
    'brand-new',
  );
});

dbTest('a team is deleted only with its name typed (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  assert.is((await owner.ask('DELETE', `/teams/${team}`)).status, 400);
  assert.is((await owner.ask('DELETE', `/teams/${team}?name=other`)).status, 400);
  assert.is((await owner.ask('DELETE', `/teams/${team}?name=team-${count}`)).status, 204);
  assert.is((await owner.ask('GET', `/teams/${team}`)).status, 404);
});

dbTest('an admin changes roles up to admin; owners are the affair of owners (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const admin = await Caller.join(`admin${count}`, 'admin', team);
  const member = await Caller.join(`member${count}`, 'member', team);
  const change = (by: Caller, whom: Caller, role: TeamRole) =>
    by.ask('PATCH', `/teams/${team}/members/${whom.id}`, { role });
  assert.is((await change(admin, member, 'admin')).body.role, 'admin');
  assert.is((await change(admin, member, 'owner')).status, 403);
  assert.is((await change(admin, owner, 'member')).status, 403);
  assert.is((await change(admin, admin, 'owner')).status, 403);
  assert.is((await change(owner, member, 'owner')).status, 200);
  assert.is((await change(member, owner, 'viewer')).status, 200);
  assert.equal(await readRoles(team), {
    [`owner${count}`]: 'viewer',
    [`admin${count}`]: 'admin',
    [`member${count}`]: 'owner',
  });
});

dbTest('a demotion counts at once, also for tokens (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const admin = await Caller.join(`admin${count}`, 'admin', team);
  const { access_token } = await stage.logIn(admin.visitor);
  const list = async () => (await stage.ask(`/teams/${team}/invitations`, access_token)).status;
  assert.is(await list(), 200);
  await owner.ask('PATCH', `/teams/${team}/members/${admin.id}`, { role: 'viewer' });
  assert.is(await list(), 403);
});

dbTest('the last owner neither leaves nor is demoted (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  assert.is((await owner.ask('DELETE', `/teams/${team}/members/${owner.id}`)).status, 409);
  assert.is(
    (await owner.ask('PATCH', `/teams/${team}/members/${owner.id}`, { role: 'admin' })).status,
    409,
  );
  const second = await Caller.join(`second${count}`, 'owner', team);
  assert.is((await owner.ask('DELETE', `/teams/${team}/members/${owner.id}`)).status, 204);
  assert.is((await owner.ask('GET', `/teams/${team}`)).status, 404);
  assert.is((await second.ask('DELETE', `/teams/${team}/members/${second.id}`)).status, 409);
});

dbTest('of two owners who remove each other at the same time one remains (CLD-2)', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { team, owner } = await openTeam();
    const second = await Caller.join(`second${count}`, 'owner', team);
    await Promise.all([
      owner.ask('DELETE', `/teams/${team}/members/${second.id}`),
      second.ask('PATCH', `/teams/${team}/members/${owner.id}`, { role: 'member' }),
    ]);
    assert.is(Object.values(await readRoles(team)).filter((role) => role === 'owner').length, 1);
  }
});

dbTest('a viewer may leave, and remove no one else (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const viewer = await Caller.join(`viewer${count}`, 'viewer', team);
  assert.is((await viewer.ask('DELETE', `/teams/${team}/members/${owner.id}`)).status, 403);
  assert.is((await viewer.ask('DELETE', `/teams/${team}/members/${viewer.id}`)).status, 204);
});

dbTest('with a member their runners and open links leave the team (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const admin = await Caller.join(`admin${count}`, 'admin', team);
  const { sql } = stage.database;
  const runner = (id: string, ownerId: string | null) => ({
    id,
    team_id: team,
    owner_id: ownerId,
    home_id: id,
    name: id,
    accept: 'own',
    token_hash: id,
    token_at: new Date(),
    created_at: new Date(),
  });
  const [theirs, pool] = [randomIds.next(), randomIds.next()];
  await sql`insert into runners ${sql([runner(theirs, admin.id), runner(pool, null)])}`;
  await admin.ask('POST', `/teams/${team}/invitations`, { role: 'member' });
  await owner.ask('DELETE', `/teams/${team}/members/${admin.id}`);
  const revoked =
    await sql`select id from runners where team_id = ${team} and revoked_at is not null`;
  assert.equal(
    revoked.map(({ id }) => id),
    [theirs],
  );
  assert.equal((await owner.ask('GET', `/teams/${team}/invitations`)).body.invitations, []);
});

dbTest('an invitation lets one new person in, with its role (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const invited = await owner.ask('POST', `/teams/${team}/invitations`, { role: 'member' });
  assert.is(invited.status, 201);
  const path = toPath(invited.body.url);
  const ben = stage.visitor();
  const fields = { name: 'Ben', email: `Ben${count}@SVC.example`, password: PASSWORD };
  assert.match((await ben.open(path)).text, `team-${count}`);
  assert.is((await ben.fill(path, fields)).status, 303);
  assert.is((await ben.open('/auth/home')).status, 200);
  assert.is((await readRoles(team)).Ben, 'member');
  const late = stage.visitor();
  assert.is((await late.open(path)).status, 409);
  assert.equal((await owner.ask('GET', `/teams/${team}/invitations`)).body.invitations, []);
});

dbTest(
  'of two people with one invitation one gets in, and the other has no account (CLD-2)',
  async () => {
    const { team, owner } = await openTeam();
    const { body } = await owner.ask('POST', `/teams/${team}/invitations`, { role: 'member' });
    const path = toPath(body.url);
    const join = async (name: string) =>
      (
        await stage
          .visitor()
          .fill(path, { name, email: `${name}${count}@svc.example`, password: PASSWORD })
      ).status;
    assert.equal((await Promise.all([join('first'), join('second')])).toSorted(), [303, 409]);
    assert.is(Object.keys(await readRoles(team)).length, 2);
    const [row] = await stage.database.sql`
    select count(*) as count from users where email in (${`first${count}@svc.example`}, ${`second${count}@svc.example`})`;
    assert.is(row?.count, 1);
  },
);

dbTest('who has an account joins with it, and keeps a higher role (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  await stage.addPerson(`eva${count}`);
  const eva = await stage.openVisitor(`eva${count}`);
  const invite = async (role: TeamRole) =>
    toPath((await owner.ask('POST', `/teams/${team}/invitations`, { role })).body.url);
  assert.is((await eva.fill(await invite('admin'), {})).status, 303);
  assert.is((await readRoles(team))[`eva${count}`], 'admin');
  await eva.fill(await invite('viewer'), {});
  assert.is((await readRoles(team))[`eva${count}`], 'admin');
});

dbTest('an address that has an account cannot be taken with an invitation (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const { body } = await owner.ask('POST', `/teams/${team}/invitations`, { role: 'member' });
  const path = toPath(body.url);
  const thief = stage.visitor();
  const fields = {
    name: 'Thief',
    email: `owner${count}@svc.example`,
    password: 'another password',
  };
  assert.is((await thief.fill(path, fields)).status, 409);
  assert.is((await stage.visitor().open(path)).status, 200);
  assert.is((await stage.openVisitor(`owner${count}`)).cookie('svc_session') === undefined, false);
});

dbTest('an invitation ends after seven days, and when it is revoked (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const invite = () => owner.ask('POST', `/teams/${team}/invitations`, { role: 'member' });
  const first = (await invite()).body;
  const revoke = () => owner.ask('DELETE', `/teams/${team}/invitations/${first.id}`);
  assert.is((await revoke()).status, 204);
  assert.is((await revoke()).status, 404);
  assert.is((await stage.visitor().open(toPath(first.url))).status, 409);
  const second = toPath((await invite()).body.url);
  stage.clock.shift(7 * DAY_MS);
  assert.is((await stage.visitor().open(second)).status, 409);
  stage.clock.shift(-7 * DAY_MS);
});

dbTest('only an owner invites an owner, and the link is not kept (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const admin = await Caller.join(`admin${count}`, 'admin', team);
  const invite = (by: Caller) => by.ask('POST', `/teams/${team}/invitations`, { role: 'owner' });
  assert.is((await invite(admin)).status, 403);
  const { body } = await invite(owner);
  const rows = JSON.stringify(await stage.database.sql`select * from invitations`);
  assert.not(rows.includes(body.url.split('/').at(-1)));
});

dbTest('who becomes less than an owner keeps no link that makes owners (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const second = await Caller.join(`second${count}`, 'owner', team);
  const link = async (role: TeamRole) =>
    toPath((await second.ask('POST', `/teams/${team}/invitations`, { role })).body.url);
  const [owners, members] = [await link('owner'), await link('member')];
  await owner.ask('PATCH', `/teams/${team}/members/${second.id}`, { role: 'admin' });
  assert.is((await second.visitor.open(owners)).status, 409);
  assert.is((await stage.visitor().open(members)).status, 200);
  await owner.ask('PATCH', `/teams/${team}/members/${second.id}`, { role: 'member' });
  assert.is((await stage.visitor().open(members)).status, 409);
});

dbTest('of teams that want one address at the same time one gets it (CLD-2)', async () => {
  const { owner } = await openTeam();
  const create = () => owner.ask('POST', '/teams', { name: 'Twin', slug: `twin-${count}` });
  const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status);
  assert.equal(statuses.toSorted(), [201, 409, 409]);
  const replies = await Promise.all(
    [1, 2, 3].map(() => owner.ask('POST', '/teams', { name: `Tri ${count}` })),
  );
  assert.equal(replies.map(({ body }) => body.slug).toSorted(), [
    `tri-${count}`,
    `tri-${count}-2`,
    `tri-${count}-3`,
  ]);
});

dbTest('what is wrong with a new account is said at its field (CLD-2)', async () => {
  const { team, owner } = await openTeam();
  const { body } = await owner.ask('POST', `/teams/${team}/invitations`, { role: 'member' });
  const answer = await stage
    .visitor()
    .fill(toPath(body.url), { name: ' ', email: 'x', password: 'short' });
  assert.is(answer.status, 422);
  assert.equal(
    [...answer.text.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name),
    ['name', 'email', 'password'],
  );
  assert.not.match(answer.text, 'value="short"');
});

dbTest('what people type is text in a page, never markup (CLD-2)', async () => {
  const { owner } = await openTeam();
  await owner.ask('POST', '/teams', { name: '<script>alert(1)</script>', slug: `xss-${count}` });
  assert.not.match((await owner.visitor.open('/auth/home')).text, '<script>');
});

test.run();
