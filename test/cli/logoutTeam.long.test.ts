import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import LogoutCommand from '../../cli/commands/logout.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { DoubleControlPlane } from '../support/cloud/doubleControlPlane.ts';
import { HomeStage } from '../support/cloud/homeStage.ts';

const test = suite('svc logout of a stopped home of a team');

/** A stopped home with an order, whose log is at a control plane. */
async function openHome() {
  const cloud = await DoubleControlPlane.open();
  const stage = new HomeStage(cloud.url);
  const home = await stage.open();
  await home.run();
  await home.order('a');
  await home.stop();
  const config = { cloud: { url: cloud.url, token: 'svcr_test' } };
  writeFileSync(join(stage.dir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  const line = new CommandLine({ SVC_HOME: stage.dir });
  line.homeDir = stage.dir;
  line.fetch = globalThis.fetch;
  return {
    cloud,
    stage,
    line,
    readConfig: () => JSON.parse(readFileSync(join(stage.dir, 'config.json'), 'utf8')),
    /** What a runner without a team finds. */
    async findOrders(): Promise<string[]> {
      const local = await stage.open({ isPaired: false });
      const { orders } = local;
      local.kill();
      return orders;
    },
    async [Symbol.asyncDispose]() {
      await cloud.close();
      stage.remove();
    },
  };
}

test('the control plane forgets the home, the configuration does not name it, and its jobs are here', async () => {
  await using at = await openHome();
  const { code, out, err } = await at.line.run(LogoutCommand, ['--json']);
  assert.is(code, 0, err);
  assert.equal([JSON.parse(out).url, JSON.parse(out).unsent], [at.cloud.url, 0]);
  assert.is(at.cloud.home, null);
  assert.is(at.readConfig().cloud?.token, undefined);
  assert.equal(await at.findOrders(), ['a']);
});

test('--abandon does not wait for a control plane that is away; without --yes nothing happens', async () => {
  await using at = await openHome();
  await at.cloud.close();
  assert.is((await at.line.run(LogoutCommand, ['--abandon'])).code, 2);
  assert.is(at.readConfig().cloud.token, 'svcr_test');
  const { code, out, err } = await at.line.run(LogoutCommand, ['--abandon', '--yes', '--json']);
  assert.is(code, 0, err);
  assert.match(err, 'The control plane keeps its copy of this home');
  assert.ok(JSON.parse(out).unsent <= 1, 'the newest entry may have arrived without an answer');
  assert.is(at.readConfig().cloud?.token, undefined);
  assert.equal(await at.findOrders(), ['a']);
});

test.run();
