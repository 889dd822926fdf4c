import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readFileStanding } from '../../../../src/kernel/sqlite/log/fileStanding.ts';
import { DoubleControlPlane } from '../../../support/cloud/doubleControlPlane.ts';
import { HomeStage } from '../../../support/cloud/homeStage.ts';
import { waitUntil } from '../../../support/cloud/testTeam.ts';

const test = suite('a home that gets and leaves its log while it works');

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

test('jobs run and are answered while the first copy is uploaded, and all of them exist after a loss', async () => {
  await using at = await open();
  const home = await at.stage.open({ isPaired: false });
  await home.run();
  await home.order('before');
  let isUploading = false;
  let goOn = (): void => undefined;
  at.cloud.onRequest = (request) => {
    if (!request.startsWith('PUT') || isUploading) return;
    isUploading = true;
    return new Promise((resolve) => {
      goOn = resolve;
    });
  };
  const login = home.login();
  await waitUntil(() => isUploading);
  // Answered although the control plane has nothing yet.
  for (const id of ['m1', 'm2', 'm3']) await home.order(id);
  assert.is(home.paired?.status.state, 'seeding');
  goOn();
  await login;
  assert.is(home.paired?.status.state, 'logged');
  await home.order('after');
  assert.equal(home.paired?.status.unsent.entries, 0);
  home.kill();
  at.stage.loseState();
  const again = await at.stage.open();
  await again.run();
  assert.equal(again.orders, ['after', 'before', 'm1', 'm2', 'm3']);
  await again.stop();
});

test('at each step of a login, jobs are answered although the control plane does not answer', async () => {
  await using at = await open();
  const home = await at.stage.open({ isPaired: false });
  await home.run();
  await home.order('before');
  const steps: string[] = [];
  at.cloud.onRequest = async (request) => {
    steps.push(request);
    await home.order(`at-${steps.length}`);
  };
  await home.login();
  at.cloud.onRequest = () => undefined;
  assert.is(home.paired?.status.state, 'logged');
  const kinds = new Set(steps.map((step) => step.replace(/\d+/g, 'N')));
  assert.ok(kinds.size > 2, [...kinds].join());
  home.kill();
  at.stage.loseState();
  const again = await at.stage.open();
  await again.run();
  assert.equal(again.orders, [...steps.map((_, n) => `at-${n + 1}`), 'before'].sort());
  await again.stop();
});

test('a runner that is killed while it is seeded begins again, with everything', async () => {
  await using at = await open();
  const home = await at.stage.open({ isPaired: false });
  await home.run();
  await home.order('a');
  let isStuck = false;
  at.cloud.onRequest = (request) => {
    if (!request.startsWith('PUT') || isStuck) return;
    isStuck = true;
    return new Promise(() => undefined);
  };
  void home.login();
  await waitUntil(() => isStuck);
  await home.order('b');
  home.kill();
  const again = await at.stage.open();
  await again.run();
  assert.equal(again.orders, ['a', 'b']);
  await again.paired?.work(() => again.link?.reconnect());
  assert.is(again.paired?.status.state, 'logged');
  again.kill();
  at.stage.loseState();
  const last = await at.stage.open();
  await last.run();
  assert.equal(last.orders, ['a', 'b']);
  await last.stop();
});

test('a home that leaves is complete, local, and unknown to the control plane', async () => {
  await using at = await open();
  const home = await at.stage.open();
  await home.run();
  await home.order('a');
  at.cloud.isAway = true;
  at.cloud.cut();
  const waiting = home.order('b');
  let hasLeft = false;
  const leaving = home.paired?.leave(false).then(() => {
    hasLeft = true;
  });
  await waitUntil(() => home.orders.includes('b'));
  assert.is(hasLeft, false);
  at.cloud.isAway = false;
  await leaving;
  await waiting;
  assert.is(at.cloud.home, null);
  await home.order('c');
  home.kill();
  assert.is(readFileStanding(at.stage.stateDb)?.position, null);
  const local = await at.stage.open({ isPaired: false });
  assert.equal(local.orders, ['a', 'b', 'c']);
  local.kill();
});

test('a home that is abandoned is local at once, and answers what waited', async () => {
  await using at = await open();
  const home = await at.stage.open();
  await home.run();
  at.cloud.isAway = true;
  at.cloud.cut();
  const waiting = home.order('a');
  await waitUntil(() => home.orders.includes('a'));
  await home.paired?.leave(true);
  await waiting;
  await home.order('b');
  assert.ok(at.cloud.home !== null);
  home.kill();
});

test('a home that has left gets a new log when it is paired again', async () => {
  await using at = await open();
  const home = await at.stage.open();
  await home.run();
  await home.order('a');
  await home.paired?.leave(false);
  home.link?.close();
  await home.order('b');
  await home.login();
  await home.order('c');
  home.kill();
  at.stage.loseState();
  const again = await at.stage.open();
  await again.run();
  assert.equal(again.orders, ['a', 'b', 'c']);
  await again.stop();
});

test.run();
