import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import postgres from 'postgres';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../scripts/checks/projectFiles.ts';
import { listFences } from '../../../scripts/docs/markdownFiles.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { readLocalKeys } from '../../../src/cloud/database/local/localKeys.ts';
import type { TeamHome } from '../../../src/contract/schema/cloud/home.ts';
import { readDivergedState } from '../../../src/host/start/homes/divergedState.ts';
import { openHomeClient } from '../../../src/host/start/homes/openHomeClient.ts';
import { reseedHome, takeCloudState } from '../../../src/host/start/homes/reseedHome.ts';
import { toRow } from '../../support/cloud/doubleRunner.ts';
import { HomeRunner } from '../../support/cloud/homeRunner.ts';
import { HomeStage } from '../../support/cloud/homeStage.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, pairHome, startTeamNode, waitUntil } from '../../support/cloud/testTeam.ts';
import { addWebhook, sendWebhook } from '../../support/cloud/webhookTeam.ts';

const test = suite('cloud: a database that was destroyed and restored');
const dbTest = defineDatabaseTests(test);

const WINDOW_MS = 2_500;
/** The same for every node of the test. */
const TAKEOVER = { windowMs: WINDOW_MS, quietMs: 0 };

/** The lines of the page that begin a dump, or a restore. */
function readCommands(program: string): string {
  const page = read('docs/operations/control-plane.md');
  const block = listFences(page).find(({ text }) => text.includes(`\n${program} `));
  if (block === undefined) throw new Error(`the page does not show ${program}`);
  return block.text;
}

const dir = mkdtempSync(join(tmpdir(), 'svc-restore-'));
const keyFile = join(dir, 'secrets.key');

/** Runs lines in a shell, with the database of the URL as the page asks for it. */
function runLines(lines: string, databaseUrl: string): Promise<{ code: number; err: string }> {
  const { username, password, pathname, searchParams } = new URL(databaseUrl);
  const env = {
    PATH: [postgresPrograms[0]?.folder, process.env.PATH].join(delimiter),
    PGHOST: searchParams.get('host') ?? '',
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  return new Promise((resolve) => {
    execFile('sh', ['-c', lines], { cwd: dir, env }, (error, _, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), err }),
    );
  });
}

async function runSql(databaseUrl: string, text: string): Promise<void> {
  const { username, password, searchParams } = new URL(databaseUrl);
  const sql = postgres({
    username,
    password,
    database: 'postgres',
    path: join(searchParams.get('host') ?? '', '.s.PGSQL.5432'),
    max: 1,
  });
  await sql.unsafe(text);
  await sql.end();
}

let node: TestControlPlane;
let restoredUrl = '';
const secrets = { github: '', gitlab: '' };
const stages = new Map<string, HomeStage>();

function getStage(homeId: string): HomeStage {
  const stage = stages.get(homeId);
  if (stage === undefined) throw new Error(`no home ${homeId}`);
  return stage;
}

/** A home with a job, whose runner is stopped. */
async function addHome(homeId: string): Promise<void> {
  const { body } = await pairHome(node, { homeId, name: homeId });
  stages.set(homeId, new HomeStage(node.url, homeId, body.token));
  await orderIn(homeId, 'before');
}

async function orderIn(homeId: string, id: string): Promise<void> {
  const home = await getStage(homeId).open();
  await home.run();
  await home.order(id);
  await home.stop();
}

/** What the members of the team see of a home. */
async function readHome(id: string): Promise<TeamHome> {
  const reply = await node.ask('/teams/acme/homes', { headers: asUser('vic') });
  const { homes } = (await reply.json()) as { homes: TeamHome[] };
  const home = homes.find(({ homeId }) => homeId === id);
  if (home === undefined) throw new Error(`no home ${id}`);
  return home;
}

/** A runner of the pool with a job, which is away at the restore; and one that would continue its home. */
let away: HomeRunner;
let adopter: HomeRunner;

async function connectAdopter() {
  return adopter.connect({ name: 'adopter', accept: 'team', adopts: 1 });
}

async function restart(cloudKey: string, databaseUrl: string): Promise<void> {
  const port = Number(new URL(node.url).port);
  await node.stop();
  node = await startTeamNode({ cloudKey, databaseUrl, port, takeover: TAKEOVER });
}

const readDivergence = async (homeId: string): Promise<unknown> =>
  getStage(homeId)
    .open()
    .then(
      () => null,
      (error: unknown) => (error instanceof SvcError ? error.data.reason : error),
    );

let live: Awaited<ReturnType<HomeStage['open']>>;

if (postgresPrograms.length > 0)
  test.before(async () => {
    const { key } = await readLocalKeys(keyFile, randomIds);
    node = await startTeamNode({ cloudKey: key, takeover: TAKEOVER });
    const { databaseUrl } = node;
    secrets.github = await addWebhook(node, 'github');
    for (const homeId of ['same', 'newer', 'chosen', 'live']) await addHome(homeId);
    away = await HomeRunner.open(node, { homeId: 'away', name: 'away', pool: true });
    const socket = await away.connect({ name: 'away', accept: 'team' });
    socket.commit(away.add());
    await socket.awaitCommitted(1);
    const body = new TextEncoder().encode(JSON.stringify([toRow('job1', { status: 'build' })]));
    socket.bare.send({ type: 'jobs', source: 's', n: 1, mark: 'm', body });
    await socket.bare.find('acknowledged');
    adopter = await HomeRunner.pair(node, { homeId: 'adopter', name: 'adopter', pool: true });

    assert.equal(await runLines(readCommands('pg_dump'), databaseUrl), { code: 0, err: '' });
    copyFileSync(keyFile, join(dir, 'kept.key'));

    // What happens after the backup.
    for (const homeId of ['newer', 'chosen']) await orderIn(homeId, 'after');
    live = await getStage('live').open();
    await live.run();
    await live.order('after');
    socket.commit(away.add());
    await socket.awaitCommitted(2);
    socket.close();
    secrets.gitlab = await addWebhook(node, 'gitlab');

    const port = Number(new URL(node.url).port);
    await node.stop();
    rmSync(keyFile);
    const name = new URL(databaseUrl).pathname.slice(1);
    await runSql(databaseUrl, `drop database ${name} with (force)`);
    const restored = await runLines(readCommands('createdb'), databaseUrl);
    assert.equal(restored, { code: 0, err: '' });
    restoredUrl = databaseUrl.replace(`/${name}?`, '/svc_restored?');
    copyFileSync(join(dir, 'kept.key'), keyFile);
    const [cloudKey = ''] = readFileSync(keyFile, 'utf8').split('\n');
    node = await startTeamNode({ cloudKey, databaseUrl: restoredUrl, port, takeover: TAKEOVER });
  });
test.after(async () => {
  for (const stage of stages.values()) {
    await stage.closing;
    stage.remove();
  }
  await node?.stop();
  rmSync(dir, { recursive: true });
});

dbTest(
  'secrets from before are opened with the key file, and later ones are not there',
  async () => {
    assert.is((await sendWebhook(node, 'github', { secret: secrets.github })).status, 202);
    assert.is((await sendWebhook(node, 'gitlab', { secret: secrets.gitlab })).status, 401);
  },
);

dbTest('a home without newer entries continues, and is no longer held back', async () => {
  assert.is((await readHome('same')).wait, 'restored');
  const home = await getStage('same').open();
  await home.run();
  await home.order('again');
  assert.equal(home.orders, ['again', 'before']);
  assert.equal(home.ends, []);
  await home.stop();
});

dbTest('the job of a machine that is away is not continued from the past', async () => {
  const socket = await connectAdopter();
  // The node that it was connected to when the dump was made counts as alive for a while.
  await waitUntil(async () => (await readHome('away')).wait !== 'connected');
  assert.is((await readHome('away')).wait, 'restored');
  assert.equal(
    socket.bare.frames.filter(({ type }) => type === 'adopt'),
    [],
  );
  socket.close();
});

dbTest(
  'a runner that stopped with newer entries starts nothing, and says that it differs',
  async () => {
    for (const homeId of ['newer', 'chosen']) {
      assert.is(await readDivergence(homeId), 'diverged');
      const state = readDivergedState(getStage(homeId).dir);
      assert.ok(state !== null && state.n > state.head, JSON.stringify(state));
      assert.equal(getStage(homeId).listAside(), [`state.db.diverged-${state.n}`]);
      assert.is(await readDivergence(homeId), 'diverged');
    }
  },
);

dbTest(
  'a runner that ran all the time ends when it is back, and acknowledges nothing',
  async () => {
    await waitUntil(() => live.ends.length > 0);
    assert.is(live.ends[0]?.why, 'diverged');
    const [head, state] = [(await readHome('live')).head, getStage('live')];
    live.kill();
    assert.is(await readDivergence('live'), 'diverged');
    assert.is(readDivergedState(state.dir)?.head, head);
  },
);

dbTest('a person lets the machine count for one home, and the database for another', async () => {
  const stage = getStage('newer');
  await reseedHome({
    client: openHomeClient(stage.start.settings),
    home: stage.dir,
    stateDb: stage.stateDb,
    homeId: 'newer',
    reason: 'a test',
    checker: stage.checker,
    ids: randomIds,
    patience: { signal: new AbortController().signal },
  });
  const newer = await stage.open();
  await newer.run();
  assert.equal(newer.orders, ['after', 'before']);
  await newer.stop();

  await takeCloudState(getStage('chosen').dir);
  const chosen = await getStage('chosen').open();
  await chosen.run();
  assert.equal(chosen.orders, ['before']);
  await chosen.stop();
});

dbTest('an admin lets another runner continue the job of a machine that is lost', async () => {
  const socket = await connectAdopter();
  const path = `/teams/acme/runners/${away.runnerId}/release`;
  const reply = await node.ask(path, { method: 'POST', headers: asUser('adm') });
  assert.is(reply.status, 200);
  assert.is((await socket.bare.find('adopt')).homeId, 'away');
  socket.close();
});

dbTest('without the key the secrets alone are lost', async () => {
  await restart(Buffer.alloc(32, 9).toString('base64'), restoredUrl);
  assert.is((await sendWebhook(node, 'github', { secret: secrets.github })).status, 401);
  const reply = await node.ask('/teams/acme/webhooks', { headers: asUser('adm') });
  assert.is(reply.status, 200);
  await orderIn('same', 'without a key');
  secrets.github = await rotateWebhook();
  assert.is((await sendWebhook(node, 'github', { secret: secrets.github })).status, 202);
});

async function rotateWebhook(): Promise<string> {
  const path = '/teams/acme/webhooks/github/rotate';
  const reply = await node.ask(path, { method: 'POST', headers: asUser('adm'), body: '{}' });
  assert.is(reply.status, 200);
  return (await reply.json()).secret;
}

dbTest('a dump that was cut is refused, when it is made and when it is restored', async () => {
  const dump = join(dir, 'svc.dump');
  truncateSync(dump, Math.floor(statSync(dump).size * 0.9));
  const check = readCommands('pg_dump')
    .split('\n')
    .find((line) => line.startsWith('pg_restore'));
  copyFileSync(dump, `${dump}.part`);
  assert.is.not((await runLines(check ?? '', restoredUrl)).code, 0);
  await node.stop();
  await runSql(restoredUrl, 'drop database svc_restored with (force)');
  const restored = await runLines(readCommands('createdb'), restoredUrl);
  assert.is.not(restored.code, 0);
  const count = `test "$(psql -d svc_restored -Atc "select count(*) from pg_class where relname = 'homes'")" = 0`;
  assert.equal(await runLines(count, restoredUrl), { code: 0, err: '' });
});

test.run();
