import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Runner } from '../../../src/contract/runner/runner.ts';
import type { DecidesQuestions, DecisionQuestion } from '../../../src/contract/policy/decider.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { buildPhaseDigest } from '../../../src/policy/decisions/digest/buildPhaseDigest.ts';
import {
  gatherDigestInput,
  type SeenVisit,
} from '../../../src/policy/decisions/digest/gatherDigestInput.ts';
import { createReplay } from '../../../src/policy/decisions/replay.ts';
import { phase } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { goodAnswers } from '../../support/decisions/aQuestion.ts';
import { RATED_PHASE, JOB_ID } from '../../support/http/fakeFacade.ts';

const test = suite('a rating is replayed');

const SEEN: SeenVisit = {
  facts: {
    at: 60_000,
    sessions: 1,
    items: [],
    prs: [],
    gateBlocks: 0,
    laps: 0,
    asked: [],
    failing: null,
  },
  changed: { count: 1, added: 3, removed: 0, files: [{ path: 'a.ts', added: 3, removed: 0 }] },
  upTo: 5,
};

const ROW = {
  job_id: JOB_ID,
  key: RATED_PHASE.key,
  site: 'overseer',
  at: 60_000,
  phase: 'coding',
  visit: 2,
  mode: 'shadow',
  provider: 'rules',
  model: 'decider-1.13.0',
  seen: JSON.stringify(SEEN),
  pauses: 0,
} as const;

/** A rating on a store in memory; `row`: what of its record is different. */
function stage(row: object = {}, decider?: DecidesQuestions) {
  const { rows, frames } = openStore({ file: ':memory:', pid: 1, now: 0 });
  const deps = { rows, frames };
  const { sha256 } = buildPhaseDigest(gatherDigestInput(deps, JOB_ID, 2, SEEN));
  const record = { ...RATED_PHASE, digest: sha256, ...row };
  const asked: DecisionQuestion[] = [];
  const answers: DecidesQuestions = {
    async decide(question) {
      asked.push(question);
      return { id: question.id, model: question.model, answers: goodAnswers };
    },
  };
  const { replayDecision }: Pick<Runner, 'replayDecision'> = createReplay({
    rows: {
      all: rows.all.bind(rows),
      one: (table, where) =>
        table === 'decisions' ? ({ ...ROW, ...row } as never) : rows.one(table, where),
    },
    frames,
    clock: new SimulatedClock(),
    screen: (text) => text,
    decider: () => decider ?? answers,
    description: () => 'Add a greeting.',
    decisions: () => ({ decisions: [record], total: 1 }),
    terms: () => ({ provider: 'rules', model: 'decider-2', timeoutMs: 1_500 }),
    phase: () => ({ phase: phase('coding'), workflowPath: 'workflows/job.md' }),
  });
  const replay = (ask = false) =>
    replayDecision({ job: JOB_ID, key: record.key, ask }, { by: 'open' });
  return { replay, asked };
}

test('the digest is made again: the same bytes, the same hash (OVR-6)', async () => {
  const { same, recorded, rebuilt } = await stage().replay();
  assert.ok(same);
  assert.is(recorded, rebuilt);
});

test('its sections are shown', async () => {
  const { digest } = await stage().replay();
  assert.ok(digest.facts.some((line) => line.includes('a.ts')));
});

test('one that differs is reported, and why', async () => {
  const { same, why } = await stage({ digest: 'b'.repeat(64) }).replay();
  assert.is(same, false);
  assert.match(why ?? '', /have changed/);
});

test('one of another form says that', async () => {
  const { why } = await stage({ digest: 'b'.repeat(64), digestVersion: 0 }).replay();
  assert.match(why ?? '', /version 0 then/);
});

test('no provider is asked unless that is wanted', async () => {
  const { replay, asked } = stage();
  assert.is((await replay()).asked, null);
  assert.equal(asked, []);
});

test('the provider of now is asked under an id of its own, and its answer compared', async () => {
  const { replay, asked } = stage();
  const reply = await replay(true);
  assert.is(reply.asked?.rating?.goal, goodAnswers.goal.probability);
  assert.is(reply.earlier?.goal, 0.8);
  assert.is(asked[0]?.model, 'decider-2');
  assert.match(asked[0]?.id ?? '', /\/overseer\/again-/);
});

test('a provider that fails is a skip with its reason', async () => {
  const failing: DecidesQuestions = {
    decide: async () => {
      throw new Error('It answers 503.');
    },
  };
  const reply = await stage({}, failing).replay(true);
  assert.equal([reply.asked?.skipped, reply.asked?.rating], ['It answers 503.', null]);
});

for (const [what, row] of [
  ['of another place', { key: 'lane/2' }],
  ['for which nothing was asked', { digest: null, seen: null }],
] as const)
  test(`a record ${what} cannot be replayed`, async () => {
    try {
      await stage(row).replay();
      assert.unreachable();
    } catch (error) {
      assert.is(Object(error).code, 'not-possible-now');
    }
  });

test.run();
