import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EffectRun } from '../../../src/kernel/port.ts';
import { writeForge } from '../../../src/forges/outbound/writeForge.ts';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { ForgeChange } from '../../../src/contract/forge/forge.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('effect forge.write: whose a pull request is');

const ME = 'shop-job-1';
const PR: PrMapping = {
  prId: 'local:shop#1',
  forge: 'local',
  repo: 'shop',
  number: 1,
  title: 'T',
  head: 'change',
  base: 'main',
  url: 'http://127.0.0.1/1',
  state: 'open',
  workItem: null,
  mergedAt: null,
};
const ROW: ForgeChange['rows'][number] = {
  op: 'put',
  table: 'forge_prs',
  row: {
    repo: 'shop',
    number: 1,
    operation_id: 'shop-job-1/7/0',
    title: 'T',
    body: '',
    head: 'change',
    base: 'main',
    author: `svc:${ME}`,
    state: 'open',
    created_at: 0,
  },
};

/**
 * Asks for a pull request; the forge answers with a change, and another job may own the pull
 * request.
 */
const create = (
  change: Partial<ForgeChange>,
  owner: string | null,
  problem: string | null = null,
) => {
  const answer: ForgeChange = {
    pr: PR,
    result: { existing: false },
    rows: [],
    events: [],
    ...change,
  };
  const port = writeForge({
    screen: unscreened,
    write: async () => answer,
    leave: async (_job, _forge, _operation, args) => ({ problem, args: { ...args } }),
    screenWrite: (_forge, _operation, args, _signal, send) => send(args, []),
    author: (id) => `svc:${id}`,
    place: () => ({ phase: 'coding', visit: 2, session: 3 }),
    findOwner: () => owner,
    buildSends: () => [],
  });
  const run: EffectRun = {
    effectId: 'e',
    actorId: ME,
    attempt: 1,
    recovered: false,
    signal: new AbortController().signal,
  };
  return port({ key: 'k', forge: 'local', operation: 'create_pr', args: {}, at: 1 }, run);
};

const wrote = (ok: boolean, pr: PrMapping | null, result: Record<string, unknown>) => [
  { type: 'forge.wrote', key: 'k', operation: 'create_pr', ok, pr, result },
];

test('a new one is the job’s own, and its rows are committed with the answer', async () => {
  assert.equal(await create({ rows: [ROW] }, null), {
    events: wrote(true, PR, { existing: false }),
    sends: [],
    rows: [ROW],
  });
});

test('one that the job has opened before is answered again', async () => {
  const outcome = await create({ result: { existing: true } }, ME);
  assert.equal(outcome?.events, wrote(true, PR, { existing: true }));
});

test('one that the job has opened before is answered again where its branch has moved since', async () => {
  assert.equal(await create({ result: { existing: true }, rows: [ROW] }, ME), {
    events: wrote(true, PR, { existing: true }),
    sends: [],
    rows: [ROW],
  });
});

test('one of another job is refused: taking it over would leave its job waiting for ever', async () => {
  const outcome = await create({ result: { existing: true } }, 'other-job-2');
  const error =
    "local:shop#1 for these branches belongs to other-job-2: use a branch of this job's own";
  assert.equal(outcome?.events, wrote(false, null, { error, code: 'conflict' }));
});

test('one that another call is opening at this moment is asked for again: only its commit says whose it is', async () => {
  const thrown = await create({ result: { existing: true }, rows: [ROW] }, null).catch(
    (error: unknown) => String(error),
  );
  assert.is(thrown, 'Error: local:shop#1 is currently being opened by another call');
});

test('a write that the job may no longer do when it is sent is not sent, and the agent is given the reason', async () => {
  const outcome = await create({ rows: [ROW] }, null, "local:other is not this job's repository");
  const error = "local:other is not this job's repository";
  assert.equal(outcome, { events: wrote(false, null, { error, code: 'forbidden' }) });
});

test.run();
