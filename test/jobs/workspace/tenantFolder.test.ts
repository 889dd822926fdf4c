import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { catchRefusal } from '../../support/refusal.ts';
import { TenantFolder } from '../../../src/jobs/workspace/editing/tenantFolder.ts';

const test = suite('the folder of the team');

const folder = () =>
  new TenantFolder({ overlay: { kind: 'localDir', path: '/team' } }, '/home/intelligence');

/** Something that ends when the test ends it. */
function openHeldFolder() {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end: () => end() };
}

test('who comes while several files are changed reads them when all are (INT-8)', async () => {
  const team = folder();
  const [steps, writing] = [[] as string[], openHeldFolder()];
  const change = team.together(async () => {
    await writing.over;
    steps.push('changed');
  });
  const read = team.read(async () => steps.push('read'));
  writing.end();
  await Promise.all([change, read]);
  assert.equal(steps, ['changed', 'read']);
});

test('a change waits for those who read already', async () => {
  const team = folder();
  const [steps, reading] = [[] as string[], openHeldFolder()];
  const read = team.read(async () => {
    await reading.over;
    steps.push('read');
  });
  await Promise.resolve();
  const change = team.together(async () => steps.push('changed'));
  reading.end();
  await Promise.all([read, change]);
  assert.equal(steps, ['read', 'changed']);
});

test('a change that fails keeps no one waiting', async () => {
  const team = folder();
  await team.together(() => Promise.reject(new Error('full'))).catch(() => undefined);
  assert.is(await team.read(async () => 'read'), 'read');
});

test('the overlay of a team is not written here, and takes proposals', async () => {
  const ofTeam = new TenantFolder({ overlay: { kind: 'cloudBlob' } }, '/home/intelligence');
  assert.ok(ofTeam.isOfTeam);
  assert.is((await catchRefusal(async () => ofTeam.root())).code, 'not-possible-now');
  ofTeam.checkTakesProposals();
});

test('without a folder the answer has the command that sets one', () => {
  const none = new TenantFolder({ overlay: { kind: 'none' } }, '/home/intelligence');
  assert.throws(() => none.root(), /svc config set .* \/home\/intelligence/);
});

test.run();
