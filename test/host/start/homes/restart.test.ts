import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DoubleControlPlane } from '../../../support/cloud/doubleControlPlane.ts';
import { HomeStage } from '../../../support/cloud/homeStage.ts';

const test = suite('start of a home whose log is at a control plane');

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

test('a new home has its log from its first change on, and continues after a kill', async () => {
  await using at = await open();
  const first = await at.stage.open();
  await first.run();
  await first.order('a');
  assert.ok(at.cloud.entries.length > 0);
  first.kill();
  const second = await at.stage.open();
  await second.run();
  assert.equal(second.orders, ['a']);
  await second.order('b');
  await second.stop();
});

test('an empty disk takes everything from the control plane', async () => {
  await using at = await open();
  const first = await at.stage.open();
  await first.run();
  await first.order('a');
  first.kill();
  at.stage.loseState();
  const second = await at.stage.open();
  await second.run();
  assert.equal(second.orders, ['a']);
  await second.order('b');
  assert.equal(second.orders, ['a', 'b']);
  await second.stop();
});

test.run();
