import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCloudLogin } from '../../cli/cloud/cloudLoginFile.ts';
import { openCloudSession } from '../../cli/cloud/cloudSession.ts';
import { parseCloudUrl } from '../../cli/cloud/parseCloudUrl.ts';
import CloudTeamCreateCommand from '../../cli/commands/cloud/team/create.ts';
import LoginCommand from '../../cli/commands/login.ts';
import LogoutCommand from '../../cli/commands/logout.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { readOwnHomeId, reserveHomeId, saveHomeRecord } from '../../src/host/backup/homeRecord.ts';
import { checkPair } from '../../src/kernel/sqlite/pair/checkPair.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';

const test = suite('svc login, svc logout');
const dbTest = defineDatabaseTests(test);

let stage: PeopleStage;
let teamId: string;
let adaId: string;
let url: string;
let home: string;
/** What was asked of the routes of runners. */
let requests: string[];
let exchanges = 0;

if (postgresPrograms.length > 0)
  test.before(async () => {
    stage = await PeopleStage.open();
    url = stage.cloud.publicUrl;
    teamId = await stage.addTeam('acme');
    adaId = await stage.addPerson('ada', 'member', teamId);
    await stage.addPerson('admin', 'admin', teamId);
  });
test.after(() => stage?.close());
test.before.each(async () => {
  requests = [];
  home = await mkdtemp(join(tmpdir(), 'svc-cli-login-'));
});
test.after.each(() => rm(home, { recursive: true, force: true }));

/** Keeps what was asked of the routes of runners. */
const fetchAndCount: typeof fetch = (input, init) => {
  const { pathname } = new URL(String(input));
  if (pathname === '/auth/token') exchanges += 1;
  if (/\/pairing-codes$|^\/pair$|\/runners\//.test(pathname))
    requests.push(`${init?.method} ${pathname.replace(teamId, ':team')}`);
  return fetch(input, init);
};

function openLine(input = '', env: Record<string, string> = {}): CommandLine {
  const line = new CommandLine({ SVC_HOME: home, SVC_NO_OPEN: '1', ...env }, input);
  line.fetch = fetchAndCount;
  return line;
}

const readConfig = async () => JSON.parse(await readFile(join(home, 'config.json'), 'utf8'));
const byPassword = ['--email', 'ada@svc.example', '--password', '-'];
const logIn = (more: string[] = []) =>
  openLine(`${PASSWORD}\n`).run(LoginCommand, ['--cloud-url', url, ...byPassword, ...more]);

dbTest('a password from standard input logs in, pairs and writes cloud.* (CLI-2)', async () => {
  const { code, out, err } = await logIn(['--json']);
  assert.is(code, 0, err);
  const reply = JSON.parse(out);
  assert.is(reply.email, 'ada@svc.example');
  assert.equal(reply.team, { id: teamId, slug: 'acme', name: 'acme' });
  assert.equal(requests, ['POST /teams/:team/pairing-codes', 'POST /pair']);
  const { cloud } = await readConfig();
  assert.equal(Object.keys(cloud), ['url', 'token']);
  assert.is(cloud.url, url);
  assert.ok(cloud.token.startsWith(`svcr_${reply.runner.id}_`));
  assert.not(`${out}${err}`.includes(cloud.token));
});

dbTest('a home that no runner has used yet can be started after it (CLI-2)', async () => {
  await logIn();
  assert.is(checkPair(join(home, 'state.db')), null);
  const paired = await reserveHomeId(home, randomIds);
  await saveHomeRecord(home, randomIds);
  assert.is(await readOwnHomeId(home), paired);
  const [runner] = await stage.database.sql`select team_id from runners where home_id = ${paired}`;
  assert.is(runner?.team_id, teamId);
  assert.not((await readdir(home)).includes('home.id'));
});

dbTest('the login is kept for its owner alone, and works (CLI-2)', async () => {
  await logIn();
  assert.is((await stat(join(home, 'cloud-login.json'))).mode & 0o777, 0o600);
  const login = await readCloudLogin(home);
  const [runner] = await stage.database
    .sql`select owner_id from runners where id = ${login?.runnerId ?? ''}`;
  assert.is(runner?.owner_id, adaId);
  assert.is((await stage.ask('/me', login?.accessToken ?? '')).status, 200);
});

dbTest('no browser session stays behind a login by password (CLI-2)', async () => {
  const count = async () =>
    Number((await stage.database.sql`select count(*) as count from browser_sessions`)[0]?.count);
  const before = await count();
  await logIn();
  assert.is(await count(), before);
});

dbTest(
  'a team is created from the command line, and this machine stays with its own (CLI-2)',
  async () => {
    await stage.addPerson('carl', 'member', teamId);
    const argv = ['--cloud-url', url, '--email', 'carl@svc.example', '--password', '-'];
    await openLine(`${PASSWORD}\n`).run(LoginCommand, argv);
    const { code, out } = await openLine().run(CloudTeamCreateCommand, ['Data Science', '--json']);
    assert.is(code, 0);
    const { slug, role } = JSON.parse(out);
    assert.equal([slug, role], ['data-science', 'owner']);
    const duplicate = await openLine().run(CloudTeamCreateCommand, ['Other', '--slug', slug]);
    assert.is(duplicate.code, 1);
    const wrong = await openLine().run(CloudTeamCreateCommand, ['Other', '--slug', 'A B']);
    assert.is(wrong.code, 2);
    assert.is((await readCloudLogin(home))?.team.id, teamId);
  },
);

dbTest('a wrong password ends with 4 after one try (CLI-2)', async () => {
  const { code } = await openLine('wrong password').run(LoginCommand, [
    '--cloud-url',
    url,
    ...byPassword,
  ]);
  assert.is(code, 4);
  assert.is(await readCloudLogin(home), null);
});

dbTest('a password in the arguments works, with a warning (CLI-2)', async () => {
  const argv = ['--cloud-url', url, '--email', 'ada@svc.example', '--password', PASSWORD];
  const { code, err } = await openLine().run(LoginCommand, argv);
  assert.is(code, 0);
  assert.match(err, 'Warning');
});

dbTest(
  'what the control plane will hold, and who can read it, is said before (CLI-2)',
  async () => {
    const { err } = await logIn();
    assert.match(err, /prompts, plans, logs, artefacts, and source code/);
  },
);

dbTest('without a browser a code is shown, which is allowed elsewhere (CLI-2)', async () => {
  const line = openLine();
  const login = line.run(LoginCommand, ['--cloud-url', url, '--device']);
  await line.written('Waiting');
  const ada = await stage.openVisitor('ada');
  const question = await ada.fill('/auth/device', { code: readShownCode(line) });
  await ada.post('/auth/device', { ...question.hidden, answer: 'allow' });
  line.clock.advance(5000);
  assert.is((await login).code, 0);
  assert.is((await readCloudLogin(home))?.email, 'ada@svc.example');
});

dbTest('a device that is denied ends with 4 (CLI-2)', async () => {
  const line = openLine();
  const login = line.run(LoginCommand, ['--cloud-url', url, '--device']);
  await line.written('Waiting');
  const ada = await stage.openVisitor('ada');
  const question = await ada.fill('/auth/device', { code: readShownCode(line) });
  await ada.post('/auth/device', { ...question.hidden, answer: 'deny' });
  line.clock.advance(5000);
  assert.is((await login).code, 4);
});

dbTest('a pairing code connects the runner, and logs no one in (CLI-2)', async () => {
  const { access_token } = await stage.logIn(await stage.openVisitor('admin'));
  const reply = await stage.ask(`/teams/${teamId}/pairing-codes`, access_token, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ pool: true, labels: ['gpu'] }),
  });
  const { code: pair } = (await reply.json()) as { code: string };
  const argv = ['--cloud-url', url, '--pair', pair, '--json'];
  const { code, out } = await openLine().run(LoginCommand, argv);
  assert.is(code, 0);
  assert.is(JSON.parse(out).email, null);
  assert.equal(requests, ['POST /pair']);
  assert.is(await readCloudLogin(home), null);
  const { cloud } = await readConfig();
  assert.ok(cloud.token.startsWith('svcr_'));
  assert.equal(cloud.labels, ['gpu']);
});

dbTest('a wrong pairing code changes nothing (CLI-2)', async () => {
  const { code } = await openLine().run(LoginCommand, ['--cloud-url', url, '--pair', 'WRONG']);
  assert.is(code, 4);
  assert.not(await readConfig().catch(() => null));
});

dbTest('who is in several teams names one (CLI-2)', async () => {
  const other = await stage.addTeam('other');
  const ben = await stage.addPerson('ben', 'member', teamId);
  const created_at = new Date();
  await stage.database.sql`
    insert into members ${stage.database.sql({ team_id: other, user_id: ben, role: 'viewer', created_at })}`;
  const run = (person: string, more: string[]) =>
    openLine(PASSWORD).run(LoginCommand, [
      '--cloud-url',
      url,
      '--email',
      `${person}@svc.example`,
      '--password',
      '-',
      ...more,
    ]);
  const several = await run('ben', []);
  assert.is(several.code, 2);
  assert.match(several.err, 'acme, other');
  assert.is((await run('ben', ['--team', 'acme'])).code, 0);
  assert.is((await run('ben', ['--team', 'unknown'])).code, 3);
});

dbTest(
  'who is in no team learns where to get one, and keeps no login anywhere (CLI-2)',
  async () => {
    const cleo = await stage.addPerson('cleo');
    const argv = ['--cloud-url', url, '--email', 'cleo@svc.example', '--password', '-'];
    const { code, err } = await openLine(PASSWORD).run(LoginCommand, argv);
    assert.is(code, 3);
    assert.match(err, `${url}/auth/home`);
    assert.is(await readCloudLogin(home), null);
    assert.equal(requests, []);
    const grants = await stage.database.sql`
    select 1 from oauth_records where model = 'Grant' and payload->>'accountId' = ${cleo}`;
    assert.is(grants.length, 0);
  },
);

dbTest('an address that the control plane does not call itself is refused (CLI-2)', async () => {
  const { code, err } = await openLine(PASSWORD).run(LoginCommand, [
    '--cloud-url',
    stage.cloud.url,
    ...byPassword,
  ]);
  assert.is(code, 2);
  assert.match(err, `--cloud-url ${url}`);
});

dbTest('an agent cannot log in or out (CLI-2)', async () => {
  const line = openLine('', { SVC_SESSION_DIR: '/session' });
  assert.is((await line.run(LoginCommand, ['--cloud-url', url, '--device'])).code, 4);
  assert.is((await line.run(LogoutCommand, [])).code, 4);
});

dbTest('svc logout revokes login and runner, and removes both (CLI-2)', async () => {
  await logIn();
  const login = await readCloudLogin(home);
  requests = [];
  const { code, out } = await openLine().run(LogoutCommand, ['--json']);
  assert.is(code, 0);
  assert.is(JSON.parse(out).revoked, true);
  assert.equal(requests, [`DELETE /teams/:team/runners/${login?.runnerId}`]);
  const [runner] = await stage.database
    .sql`select revoked_at from runners where id = ${login?.runnerId ?? ''}`;
  assert.ok(runner?.revoked_at);
  assert.is((await stage.ask('/me', login?.accessToken ?? '')).status, 401);
  assert.is((await stage.client.refresh(login?.refreshToken ?? '')).body.error, 'invalid_grant');
  assert.is(await readCloudLogin(home), null);
  assert.equal(Object.keys((await readConfig()).cloud ?? {}), []);
});

dbTest('svc logout removes both here where the control plane does not answer (CLI-2)', async () => {
  await logIn();
  const line = openLine();
  line.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  const { code, out, err } = await line.run(LogoutCommand, []);
  assert.is(code, 0);
  assert.match(out, 'Logged out');
  assert.match(err, 'Revoke this machine');
  assert.is(await readCloudLogin(home), null);
});

dbTest('svc logout without a login reports it (CLI-2)', async () => {
  const { code, out } = await openLine().run(LogoutCommand, []);
  assert.is(code, 0);
  assert.match(out, 'not logged in');
});

dbTest('a token that ends is exchanged once, however many commands need it (CLI-2)', async () => {
  await logIn();
  const line = openLine();
  line.clock.advance(10 * 60_000);
  const io = {
    fetch: fetchAndCount,
    now: () => line.clock.now(),
    after: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
  const before = await readCloudLogin(home);
  exchanges = 0;
  const sessions = await Promise.all(
    Array.from({ length: 5 }, () => openCloudSession({ io, home, version: '0' })),
  );
  const answers = await Promise.all(sessions.map((session) => session.send('/me')));
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.is(exchanges, 1);
  const after = await readCloudLogin(home);
  assert.is.not(after?.refreshToken, before?.refreshToken);
  assert.is(after?.runnerId, before?.runnerId);
});

dbTest('a token that was revoked ends the login here too (CLI-2)', async () => {
  await logIn();
  const login = await readCloudLogin(home);
  await stage.client.revoke(login?.refreshToken ?? '');
  const line = openLine();
  const io = { fetch: fetchAndCount, now: () => line.clock.now(), after: () => () => {} };
  const session = await openCloudSession({ io, home, version: '0' });
  let code = '';
  await session.send('/me').catch((error: { code: string }) => {
    code = error.code;
  });
  assert.is(code, 'unauthorized');
  assert.is(await readCloudLogin(home), null);
});

test('a login file that is damaged is named, and not replaced (CLI-2)', async () => {
  await writeFile(join(home, 'cloud-login.json'), '{ "url": 1 }');
  let code = '';
  await readCloudLogin(home).catch((error: { code: string }) => {
    code = error.code;
  });
  assert.is(code, 'config-invalid');
});

for (const address of [
  'http://svc.example.com',
  'http://192.168.0.1:4000',
  'ftp://localhost',
  'localhost:4000',
  'https://u:p@svc.example.com',
  'https://svc.example.com/teams',
])
  test(`${address} is refused (CLI-2)`, () => {
    assert.throws(
      () => parseCloudUrl(address),
      (error: { code: string }) => error.code === 'bad-argument',
    );
  });

for (const [address, origin] of [
  ['https://svc.example.com/', 'https://svc.example.com'],
  ['http://localhost:4000', 'http://localhost:4000'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:4000', 'http://[::1]:4000'],
] as const)
  test(`${address} is taken (CLI-2)`, () => {
    assert.is(parseCloudUrl(address), origin);
  });

/** The code on the screen. */
function readShownCode(line: CommandLine): string {
  const match = /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(line.shown);
  if (match?.[1] === undefined) throw new Error('no code is shown');
  return match[1];
}

test.run();
