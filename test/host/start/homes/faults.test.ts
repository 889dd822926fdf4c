import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReceivedFrame } from '../../../../src/contract/channel/frames.ts';
import { readDivergedState } from '../../../../src/host/start/homes/divergedState.ts';
import { openHomeClient } from '../../../../src/host/start/homes/openHomeClient.ts';
import { reseedHome, takeCloudState } from '../../../../src/host/start/homes/reseedHome.ts';
import { leaveStoppedHome } from '../../../../src/host/start/homes/leaveStoppedHome.ts';
import { randomIds } from '../../../../src/base/system/ids/ids.ts';
import { DoubleControlPlane } from '../../../support/cloud/doubleControlPlane.ts';
import { HomeStage } from '../../../support/cloud/homeStage.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite('a home with a log, and what goes wrong');

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

async function open() {
  const cloud = await DoubleControlPlane.open();
  const stage = new HomeStage(cloud.url);
  return {
    cloud,
    stage,
    async [Symbol.asyncDispose]() {
      await cloud.close();
      stage.remove();
    },
  };
}

/** Frames of a connection as they arrive: `commits` counts those with an entry. */
const FAULTS: Record<string, (cloud: DoubleControlPlane) => DoubleControlPlane['onFrame']> = {
  'comes twice': () => (frame) => (frame.type === 'commit' ? [frame, frame] : [frame]),
  'comes after the next one': () => {
    let firstFrame: ReceivedFrame | null = null;
    let isDone = false;
    return (frame) => {
      if (frame.type !== 'commit' || isDone) return [frame];
      if (firstFrame === null) {
        firstFrame = frame;
        return [];
      }
      isDone = true;
      return [frame, firstFrame];
    };
  },
  'is lost': () => {
    let isLost = false;
    return (frame) => {
      if (frame.type !== 'commit' || isLost) return [frame];
      isLost = true;
      return [];
    };
  },
  'has a changed byte': () => {
    let isChanged = false;
    return (frame) => {
      if (frame.type !== 'commit' || isChanged) return [frame];
      isChanged = true;
      const body = new Uint8Array(frame.body);
      body[0] = (body[0] ?? 0) ^ 1;
      return [{ ...frame, body }];
    };
  },
  'is stored, and the connection is cut before the answer': (cloud) => {
    let commits = 0;
    return (frame) => {
      if (frame.type !== 'commit') return [frame];
      commits += 1;
      if (commits % 3 !== 1) return [frame];
      cloud.commit(frame);
      cloud.cut();
      return [];
    };
  },
};

for (const [title, createFault] of Object.entries(FAULTS))
  test(`an entry ${title}: every commit is answered, and each counts once`, async () => {
    await using at = await open();
    const home = await at.stage.open();
    await home.run();
    at.cloud.onFrame = createFault(at.cloud);
    // Each in a commit of its own, before the one before it is answered.
    const ordered = [];
    for (const id of IDS) {
      ordered.push(home.order(id));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(ordered);
    assert.equal(home.ends, []);
    home.kill();
    assert.equal(
      at.cloud.entries.map(({ n }) => n),
      at.cloud.entries.map((_, i) => i + 1),
    );
    at.stage.loseState();
    const again = await at.stage.open();
    assert.equal(again.orders, IDS);
    again.kill();
  });

/** A home whose control plane was set back to yesterday, and whose start was refused. */
async function openDiverged() {
  const at = await open();
  for (const id of ['a', 'b']) {
    const home = await at.stage.open();
    await home.run();
    await home.order(id);
    home.kill();
    if (id === 'a') Object.assign(at, { yesterday: at.cloud.save() });
  }
  at.cloud.restore(Reflect.get(at, 'yesterday'));
  await catchRefusal(() => at.stage.open());
  return at;
}

const patience = { signal: new AbortController().signal };

test('a person lets the state of the machine count, and its log begins again', async () => {
  await using at = await openDiverged();
  const { settings } = at.stage.start;
  await reseedHome({
    client: openHomeClient(settings),
    home: at.stage.dir,
    stateDb: at.stage.stateDb,
    homeId: 'home1',
    reason: 'a test',
    checker: at.stage.checker,
    ids: randomIds,
    patience,
  });
  assert.is(readDivergedState(at.stage.dir), null);
  at.stage.loseState();
  const home = await at.stage.open();
  await home.run();
  assert.equal(home.orders, ['a', 'b']);
  await home.stop();
});

test('a person lets the state of the control plane count, and the other one stays beside it', async () => {
  await using at = await openDiverged();
  await takeCloudState(at.stage.dir);
  const home = await at.stage.open();
  await home.run();
  assert.equal(home.orders, ['a']);
  assert.match(at.stage.listAside()[0] ?? '', 'diverged');
  await home.stop();
});

test('a stopped home leaves with what the control plane has beyond its file', async () => {
  await using at = await open();
  const home = await at.stage.open();
  await home.run();
  await home.order('a');
  home.kill();
  await leaveStoppedHome(openHomeClient(at.stage.start.settings), at.stage.stateDb, patience);
  assert.is(at.cloud.home, null);
  const local = await at.stage.open({ isPaired: false });
  assert.equal(local.orders, ['a']);
  local.kill();
});

for (const step of [
  'GET /runner/home',
  'GET /runner/home/checkpoints/',
  'GET /runner/home/entries',
  'POST /runner/home/claim',
])
  test(`a start that ends at ${step} is made up for by the next one`, async () => {
    await using at = await open();
    const first = await at.stage.open();
    await first.run();
    await first.order('a');
    await first.stop();
    const more = await at.stage.open();
    await more.run();
    for (const id of ['b', 'c']) await more.order(id);
    more.kill();
    at.cloud.entriesAfter = at.cloud.checkpoint?.n ?? 0;
    at.stage.loseState();
    let isReached = false;
    const paired = at.stage.createPaired();
    at.cloud.onRequest = (request) => {
      if (!request.startsWith(step) || isReached) return;
      isReached = true;
      // As a kill: nothing of this start happens any more, although the control plane still answers.
      void paired.close();
    };
    await paired.claim().catch(() => undefined);
    assert.is(isReached, true);
    const again = await at.stage.open();
    await again.run();
    assert.equal(again.orders, ['a', 'b', 'c']);
    await again.stop();
  });

test.run();
