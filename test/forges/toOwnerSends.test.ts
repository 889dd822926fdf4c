import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toForgeAuthor, toOwnerSends } from '../../src/forges/localForgeService.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';

const test = suite('events of a forge for the jobs that own the pull requests');

const OWNER = 'shop-job-1';

/** A store in which job 1 owns shop#1. */
const openRows = () => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const pr = {
    forge: 'local',
    repo: 'shop',
    number: 1,
    job_id: OWNER,
    pr_id: 'local:shop#1',
    title: 'T',
    head: 'h',
    base: 'main',
  };
  const row = { ...pr, url: '', state: 'open', work_item: null, merged_at: null };
  const none = {
    outboxPut: [],
    outboxDone: [],
    timersSet: [],
    timersDrop: [],
    inbox: [],
    mailPut: [],
    mailDone: [],
  };
  const rows = [{ op: 'put' as const, table: 'pr_mappings', row }];
  void store.durable.commit({
    ...none,
    generation: store.durable.claim(),
    actors: [],
    journal: [],
    frames: [],
    rows,
  });
  return store.rows;
};

const event = (more: Partial<ProviderEvent>): ProviderEvent => ({
  kind: 'merged',
  forge: 'local',
  repo: 'shop',
  number: 1,
  prId: 'local:shop#1',
  author: 'ann',
  text: '',
  url: '',
  externalId: 'local:shop#1:merged:c1',
  happenedAt: 1,
  ...more,
});

test('an event goes to the owner under the id that the forge gave it, and to no job if it has no owner (EVT-4)', () => {
  const merged = event({});
  assert.equal(toOwnerSends(openRows(), [merged, event({ number: 2 })]), [
    {
      to: OWNER,
      event: { type: 'forge.event', event: merged },
      source: 'forge:local',
      externalId: merged.externalId,
    },
  ]);
});

test('what a job does itself does not come back to it; what another job does to its pull request does', () => {
  const own = event({ author: toForgeAuthor(OWNER) });
  assert.equal(toOwnerSends(openRows(), [own], OWNER), []);
  assert.is(
    toOwnerSends(openRows(), [event({ author: 'svc:other-job-2' })], 'other-job-2').length,
    1,
  );
});

test('a merge of the job that is only found later, because its answer was given up, is news to the job', () => {
  assert.is(toOwnerSends(openRows(), [event({ author: toForgeAuthor(OWNER) })]).length, 1);
});

test.run();
