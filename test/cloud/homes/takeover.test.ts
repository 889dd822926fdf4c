import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLOSE_CODES } from '../../../src/contract/channel/closeCodes.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Frame } from '../../../src/contract/channel/frames.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import type { TeamHome } from '../../../src/contract/schema/cloud/home.ts';
import { DoubleRunner, toRow } from '../../support/cloud/doubleRunner.ts';
import { HomeRunner, HomeSocket, TestChain } from '../../support/cloud/homeRunner.ts';
import { inLongLane } from '../../support/longLane.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import {
  asUser,
  BareRunner,
  HELLO,
  waitUntil,
  startTeamNode,
} from '../../support/cloud/testTeam.ts';

const test = suite('cloud: another runner continues a lost home');
const dbTest = defineDatabaseTests(test);
/** The same in the long lane. */
const longDbTest = inLongLane ? dbTest : () => undefined;

const WINDOW_MS = 2_500;

interface Stage {
  node: TestControlPlane;
  /** The runner that will be lost: a runner of the pool with one job. */
  lost: HomeRunner;
  socket: HomeSocket;
  adopter: HomeRunner;
  adopterSocket: HomeSocket;
  database: Database;
  homes(): Promise<TeamHome[]>;
  close(): Promise<void>;
}

async function setStage({
  quietMs = 0,
  pool = true,
  isListed = true,
  /** Rows of the list that come with its entry; null = as of a runner of the version before. */
  entryRows = null as object[] | null,
  node: sharedNode = null as TestControlPlane | null,
} = {}): Promise<Stage> {
  const node = sharedNode ?? (await startTeamNode({ takeover: { windowMs: WINDOW_MS, quietMs } }));
  const lost = await HomeRunner.open(node, { homeId: 'lost', name: 'lost', pool, userId: 'ada' });
  const socket = await lost.connect({ accept: 'team', name: 'lost' });
  socket.commit(lost.add(), entryRows ?? undefined);
  await socket.awaitCommitted(1);
  if (isListed) {
    const body = new TextEncoder().encode(JSON.stringify([toRow('job1', { status: 'build' })]));
    socket.bare.send({ type: 'jobs', source: 's', n: 1, mark: 'm', body });
    await socket.bare.find('acknowledged');
  }
  const adopter = await HomeRunner.pair(node, { homeId: 'other', name: 'other', pool: true });
  const bare = new BareRunner(node, adopter.token);
  await bare.hello({
    homeId: 'other',
    instance: 'other',
    name: 'other',
    accept: 'team',
    adopts: 1,
  });
  const database = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  return {
    node,
    lost,
    socket,
    adopter,
    adopterSocket: new HomeSocket(bare),
    database,
    async homes() {
      const reply = await node.ask('/teams/acme/homes', { headers: asUser('vic') });
      return (await reply.json()).homes;
    },
    async close() {
      for (const one of [socket.bare, bare]) one.socket.terminate();
      await database.close();
      if (sharedNode === null) await node.stop();
    },
  };
}

/** The process that the adopter starts for the home: it has nothing but the token. */
function toChild(stage: Stage, { token, runnerId, homeId }: Frame<'adopt'>): HomeRunner {
  const child = new HomeRunner(stage.node, { token, runnerId, homeId });
  const { n, hash } = stage.lost.chain;
  child.chain = new TestChain(n, hash);
  child.generation = stage.lost.generation;
  return child;
}

const claimAsNew = (child: HomeRunner) => child.claim({ file: null, instance: 'child' });

async function takeOver(stage: Stage): Promise<HomeRunner> {
  stage.socket.close();
  const offer = await stage.adopterSocket.bare.find('adopt');
  stage.adopterSocket.bare.send({ type: 'adoptAnswer', homeId: offer.homeId, ok: true });
  const child = toChild(stage, offer);
  await waitUntil(async () => (await claimAsNew(child)).status === 200);
  return child;
}

const askHome = async (runner: HomeRunner) => (await runner.ask('GET', '/home')).body;

dbTest('the adopter is given what its process needs, before the lease ends (RUN-5)', async () => {
  const stage = await setStage();
  stage.socket.close();
  const { type, token, body: _, ...offer } = await stage.adopterSocket.bare.find('adopt');
  assert.equal(
    { type, ...offer, v: undefined },
    {
      type: 'adopt',
      v: undefined,
      homeId: 'lost',
      runnerId: stage.lost.runnerId,
      name: 'lost',
      storeVersion: 1,
      owner: null,
    },
  );
  const child = toChild(stage, { type: 'adopt', token, ...offer });
  assert.equal(
    (await child.readEntries(0)).map(({ n }) => n),
    [1],
  );
  assert.is((await claimAsNew(child)).body.code, 'lease-running');
  await stage.close();
});

dbTest(
  'a home that is lost right after its first job is offered, though no list names it (RUN-5)',
  async () => {
    const stage = await setStage({ isListed: false });
    stage.socket.close();
    assert.is((await stage.adopterSocket.bare.find('adopt')).homeId, 'lost');
    await stage.close();
  },
);

dbTest(
  'a home that is lost right after the entry of its first job is offered, with that job (RUN-5)',
  async () => {
    const stage = await setStage({ isListed: false, entryRows: [toRow('job1')] });
    stage.socket.close();
    assert.is((await stage.adopterSocket.bare.find('adopt')).homeId, 'lost');
    const [home] = await stage.homes();
    assert.equal(
      home?.jobs.map(({ id }) => id),
      ['job1'],
    );
    await stage.close();
  },
);

dbTest('a home whose entries came with their rows, of no job, is not offered (RUN-5)', async () => {
  const stage = await setStage({ isListed: false, entryRows: [] });
  stage.socket.close();
  await waitUntil(async () => (await stage.homes())[0]?.wait === 'no-jobs');
  await stage.close();
});

longDbTest(
  'without a job, and without a change before its loss, it is not offered (RUN-5)',
  async () => {
    const stage = await setStage({ isListed: false });
    await stage.database.sql`
      update homes set committed_at = now() - interval '1 minute', unlisted_at = now() - interval '1 minute'`;
    stage.socket.close();
    await waitUntil(async () => (await stage.homes())[0]?.wait === 'no-jobs');
    await stage.close();
  },
);

longDbTest('what a candidate writes before its claim is refused (RUN-5)', async () => {
  const stage = await setStage();
  stage.socket.close();
  const child = toChild(stage, await stage.adopterSocket.bare.find('adopt'));
  assert.is((await child.release()).body.code, 'home-claimed');
  assert.is(await child.putPart(1, 0, new Uint8Array([1])), 409);
  const bare = new BareRunner(stage.node, child.token);
  await bare.open();
  bare.send({ ...HELLO, homeId: 'lost' });
  assert.is((await bare.closed).code, CLOSE_CODES.fenced);
  await stage.close();
});

longDbTest(
  'after the window it claims the home, writes it, and the list shows it (RUN-5)',
  async () => {
    const stage = await setStage();
    const child = await takeOver(stage);
    assert.is(child.generation, stage.lost.generation + 1);
    const socket = await child.connect({ name: 'lost' });
    socket.commit(child.add());
    await socket.awaitCommitted(2);
    const [home] = await stage.homes();
    assert.equal(
      [home?.state, home?.continuedBy?.name, home?.wait, home?.jobs.map(({ id }) => id)],
      ['adopted', 'other', null, ['job1']],
    );
    socket.close();
    await stage.close();
  },
);

longDbTest('the lost runner learns who has its home, and nothing else (RUN-5)', async () => {
  const stage = await setStage();
  await takeOver(stage);
  const { code, holder } = await askHome(stage.lost);
  assert.is(code, 'home-claimed');
  assert.is((holder as { name: string }).name, 'other');
  assert.is((await stage.lost.ask('GET', '/home/entries?after=0')).status, 409);
  const bare = new BareRunner(stage.node, stage.lost.token);
  await bare.open();
  bare.send({
    ...HELLO,
    homeId: 'lost',
    home: { generation: 1, n: 1, hash: stage.lost.chain.hash },
  });
  assert.is((await bare.closed).code, CLOSE_CODES.fenced);
  await stage.close();
});

dbTest('a process that was stopped meanwhile writes nothing more (RUN-5)', async () => {
  const stage = await setStage();
  // Its socket is open still, on this node, when another runner has the home.
  await stage.database.sql`
    update runner_sessions set lost_at = now(), heard_at = now() - interval '1 hour'
    where runner_id = ${stage.lost.runnerId}`;
  const offer = await stage.adopterSocket.bare.find('adopt');
  const child = toChild(stage, offer);
  await waitUntil(async () => (await claimAsNew(child)).status === 200);
  const late = stage.lost.add();
  stage.socket.commit(late);
  assert.is((await stage.socket.bare.closed).code, CLOSE_CODES.fenced);
  const [row] = await stage.database.sql`
    select count(*) as late from commits where hash = ${late.hash}`;
  assert.is(Number(row?.late), 0);
  assert.is(stage.socket.committed, 1);
  await stage.close();
});

dbTest('a runner that comes back in time keeps its home (RUN-5)', async () => {
  const stage = await setStage();
  stage.socket.close();
  const child = toChild(stage, await stage.adopterSocket.bare.find('adopt'));
  const back = await stage.lost.connect({ accept: 'team', name: 'lost' });
  assert.is((await claimAsNew(child)).status, 401);
  back.commit(stage.lost.add());
  await back.awaitCommitted(2);
  back.close();
  await stage.close();
});

longDbTest('when its jobs have ended there, the home is its own again (RUN-5)', async () => {
  const stage = await setStage();
  const child = await takeOver(stage);
  const socket = await child.connect({ name: 'lost' });
  socket.commit(child.add());
  await socket.awaitCommitted(2);
  assert.is((await child.release()).status, 200);
  socket.close();
  assert.is((await child.ask('GET', '/home')).status, 401);
  const state = await askHome(stage.lost);
  assert.equal([state.state, state.head, state.holder], ['released', 2, null]);
  await stage.close();
});

dbTest(
  'a home that was released is offered at once, and the audit log has the takeover (RUN-5)',
  async () => {
    const stage = await setStage();
    await stage.lost.release();
    stage.socket.close();
    const child = toChild(stage, await stage.adopterSocket.bare.find('adopt'));
    child.generation += 1;
    assert.is((await claimAsNew(child)).status, 200);
    const [entry] = await stage.database.sql`
    select user_id, target from audit where team_id = 'acme' and action = 'takeover'`;
    assert.equal(entry, {
      user_id: null,
      target: {
        runnerId: stage.lost.runnerId,
        adopterId: stage.adopter.runnerId,
        generation: String(child.generation),
      },
    });
    await stage.close();
  },
);

longDbTest(
  'one that refuses is not asked again, and the list says why no one comes (RUN-5)',
  async () => {
    const stage = await setStage();
    stage.socket.close();
    const { homeId } = await stage.adopterSocket.bare.find('adopt');
    const answer = { type: 'adoptAnswer', homeId, ok: false, reason: 'disk full' } as const;
    stage.adopterSocket.bare.send(answer);
    await waitUntil(async () => (await stage.homes())[0]?.wait === 'refused');
    await stage.close();
  },
);

longDbTest('a person lets another runner continue a machine of theirs (RUN-5)', async () => {
  const stage = await setStage({ pool: false });
  const path = `/teams/acme/runners/${stage.lost.runnerId}/release`;
  const release = (userId: string) =>
    stage.node.ask(path, { method: 'POST', headers: asUser(userId) });
  assert.is((await release('adm')).status, 409);
  stage.socket.close();
  await waitUntil(async () => (await stage.homes())[0]?.wait === 'in-session');
  assert.is((await release('ben')).status, 403);
  assert.is((await release('adm')).status, 200);
  assert.is((await stage.adopterSocket.bare.find('adopt')).owner?.userId, 'ada');
  await stage.close();
});

longDbTest('its owner says that it is never continued (RUN-5)', async () => {
  const stage = await setStage({ pool: false });
  const reply = await stage.node.ask(`/teams/acme/runners/${stage.lost.runnerId}`, {
    method: 'PATCH',
    headers: asUser('ada'),
    body: JSON.stringify({ policy: 'never' }),
  });
  assert.is((await reply.json()).policy, 'never');
  stage.socket.close();
  await waitUntil(async () => (await stage.homes())[0]?.wait === 'never');
  await stage.close();
});

longDbTest('soon after a start of the node no runner is asked (RUN-5)', async () => {
  const stage = await setStage({ quietMs: 3_600_000 });
  stage.socket.close();
  await waitUntil(async () => (await stage.homes())[0]?.takeoverAt !== null);
  await waitUntil(async () => {
    const [home] = await stage.homes();
    return Date.parse(home?.takeoverAt ?? '') < Date.now() - 1_200;
  });
  assert.not(stage.adopterSocket.bare.frames.some(({ type }) => type === 'adopt'));
  await stage.close();
});

longDbTest('the node that has the socket of the adopter asks it (RUN-5)', async () => {
  const node = await startTeamNode({ takeover: { windowMs: WINDOW_MS, quietMs: 0 } });
  const second = await startTeamNode({
    databaseUrl: node.databaseUrl,
    takeover: { windowMs: WINDOW_MS, quietMs: 0 },
  });
  const stage = await setStage({ node });
  stage.adopterSocket.close();
  const bare = new BareRunner(second, stage.adopter.token);
  await bare.hello({
    homeId: 'other',
    instance: 'again',
    name: 'other',
    accept: 'team',
    adopts: 1,
  });
  stage.socket.close();
  assert.is((await bare.find('adopt')).homeId, 'lost');
  bare.socket.terminate();
  await stage.close();
  await second.stop();
  await node.stop();
});

longDbTest(
  'an adopter whose own process is lost is replaced; the first machine may come too (RUN-5)',
  async () => {
    const stage = await setStage();
    const child = await takeOver(stage);
    const socket = await child.connect({ name: 'lost' });
    socket.close();
    await waitUntil(async () => (await stage.lost.ask('GET', '/home')).status === 200);
    const { generation, head } = await askHome(stage.lost);
    stage.lost.generation = Number(generation);
    assert.is(head, 1);
    assert.is((await stage.lost.claim({ file: null, instance: 'back' })).status, 200);
    assert.is((await child.ask('GET', '/home')).status, 401);
    await stage.close();
  },
);

longDbTest('the process of an adopter takes no dispatches (RUN-5)', async () => {
  const stage = await setStage();
  const child = await takeOver(stage);
  const double = new DoubleRunner(stage.node, child.token, {
    homeId: 'lost',
    hello: { home: { generation: child.generation, n: 1, hash: child.chain.hash } },
  });
  await double.connect();
  const [row] = await stage.database.sql`
    select accept, hello -> 'adopts' as adopts from runners where id = ${stage.lost.runnerId}`;
  assert.is(row?.accept, 'none');
  double.close();
  await stage.close();
});

test.run();
