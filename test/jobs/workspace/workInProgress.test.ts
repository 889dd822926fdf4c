import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { WorkInProgress } from '../../../src/jobs/workspace/workInProgress.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { AgentCheckout, KEPT_JOB } from '../../support/agents/agentCheckout.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('work in progress of a job');

const REPO = { slug: 'shop', provider: null };
const SECRET = 'correct-horse-battery-staple';

async function openWork({ mode = 'hybrid' as 'hybrid' | 'local', wipRef = true } = {}) {
  const checkout = await AgentCheckout.make();
  const { repo, root } = checkout;
  mkdirSync(join(root, KEPT_JOB), { recursive: true });
  let pushes = 0;
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repo.path, defaultBranch: null } },
    rows: new ForgeRows(),
    webUrl: () => '',
  });
  const { workRefs } = forge;
  if (workRefs === undefined) throw new Error('the local forge keeps work');
  const countingRefs: typeof workRefs = {
    ...workRefs,
    push: (...args) => {
      pushes += 1;
      return workRefs.push(...args);
    },
  };
  const secrets = new KnownSecrets([SECRET]);
  const paths = { workingDir: root, stateDb: '', tokenFile: '', blobs: '', intelligenceDir: '' };
  const open = () =>
    new WorkInProgress({
      settings: { mode, paths, cloud: { wipRef } },
      forges: createForges([{ ...forge, workRefs: countingRefs }]),
      clock: new SimulatedClock(),
      screen: secrets.screen,
      stream: () => secrets.stream(),
    });
  const work = open();
  return {
    checkout,
    open,
    save: () => work.save(KEPT_JOB, REPO, checkout.dir),
    refs: () => repo.git('for-each-ref', '--format=%(refname)', 'refs/svc'),
    file: (path: string) => repo.show(path, `refs/svc/wip/${KEPT_JOB}`),
    pushes: () => pushes,
  };
}

test('the files of a checkout are pushed when they have changed, and removed by any later runner', async () => {
  const { checkout, open, save, file, refs, pushes } = await openWork();
  checkout.write('open.txt', 'one');
  assert.is(await save(), null);
  assert.is(file('open.txt'), 'one');
  await save();
  assert.is(pushes(), 1, 'nothing has changed');
  checkout.write('open.txt', 'two');
  await save();
  assert.is(file('open.txt'), 'two');
  const later = open();
  assert.equal(await later.listJobs(), [KEPT_JOB]);
  await later.remove(KEPT_JOB, REPO);
  assert.is(refs(), '');
  assert.equal(await later.listJobs(), []);
});

test('nothing is pushed with cloud.wipRef off, or by a runner without a team', async () => {
  for (const options of [{ wipRef: false }, { mode: 'local' as const }]) {
    const { save, refs } = await openWork(options);
    assert.is(await save(), null);
    assert.is(refs(), '');
  }
});

test('a known secret or what looks like a token stays here; the answer names the file, never the value', async () => {
  const token = `ghp_${'Ab3dEf6hIj9kLm2nOp5q'.repeat(2).slice(0, 36)}`;
  for (const value of [SECRET, token]) {
    const { checkout, save, refs } = await openWork();
    checkout.write('conf/keys.txt', `key = ${value}\n`);
    const why = String(await save());
    assert.match(why, 'conf/keys.txt');
    assert.not.match(why, value);
    assert.is(refs(), '');
  }
});

test('a checkout that cannot be saved is named in the answer, and does not reject', async () => {
  const { checkout, save } = await openWork();
  checkout.git('config', 'remote.origin.promisor', 'true');
  assert.match(String(await save()), 'was not pushed');
});

test.run();
