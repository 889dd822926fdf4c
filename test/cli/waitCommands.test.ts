import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitCommands } from '../../cli/render/job/waitCommands.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';

const test = suite('the commands that end the wait of a job');

const pr = (number: number, forge = 'local'): Job['prMappings'][number] => ({
  prId: `${forge}:shop#${number}`,
  forge,
  repo: 'shop',
  number,
  title: 'A change',
  head: 'a',
  base: 'main',
  url: `https://forge.invalid/shop/${number}`,
  state: 'open',
  workItem: null,
  mergedAt: null,
});

const commands = (
  kind: NonNullable<Job['parked']>['kind'],
  more: Partial<Pick<Job, 'prMappings' | 'subRuns'>> & { pool?: string } = {},
): string[] => {
  const { prMappings = [], subRuns = [], pool } = more;
  const parked = { kind, since: '2026-01-01T00:00:00.000Z', reason: 'r', ...(pool && { pool }) };
  return waitCommands({ id: 'job-1', parked, prMappings, subRuns }).map(([command]) => command);
};

test('a pull request of the local forge can be merged, reviewed and closed', () => {
  assert.equal(commands('event', { prMappings: [pr(1)] }), [
    'svc pr merge --job job-1',
    'svc pr review --job job-1 --verdict request-changes --body "..."',
    'svc pr close --repo shop --number 1',
  ]);
});

test('one at another forge is merged there', () => {
  assert.is(
    commands('event', { prMappings: [pr(1, 'github')] })[0],
    'https://forge.invalid/shop/1',
  );
});

test('of several, each is named', () => {
  const merges = commands('event', { prMappings: [pr(1), pr(2)] }).filter((one) =>
    one.startsWith('svc pr merge'),
  );
  assert.equal(merges, [
    'svc pr merge --job job-1 --pr local:shop#1',
    'svc pr merge --job job-1 --pr local:shop#2',
  ]);
});

test('one that is over ends no wait', () => {
  assert.equal(commands('event', { prMappings: [{ ...pr(1), state: 'merged' }] }), []);
});

test('a model account is tried again', () => {
  assert.equal(commands('quota', { pool: 'pool:a' }), ['svc accounts retry pool:a']);
});

test('other waits have no commands of their own', () => {
  assert.equal(commands('developer'), []);
});

test.run();
