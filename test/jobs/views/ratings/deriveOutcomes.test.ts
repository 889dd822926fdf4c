import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  RatingTerms,
  OverseerAnswers,
} from '../../../../src/contract/schema/policy/decision.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import {
  readJobPast,
  type PastDeps,
  listRatedVisits,
} from '../../../../src/jobs/views/ratings/readJobPast.ts';
import { deriveOutcomes } from '../../../../src/jobs/views/ratings/deriveOutcomes.ts';
import { SteppedJob } from '../../../support/charts/jobSteps.ts';
import { FAR_OFF, MANAGE, OBSERVE } from '../../../support/charts/ratings.ts';
import { goodAnswers } from '../../../support/decisions/aQuestion.ts';

const test = suite('outcomes of ratings: what people did afterwards');

/** Ends the session and rates the phase. */
function rateVisit(
  job: SteppedJob,
  terms: RatingTerms = OBSERVE,
  answers: OverseerAnswers = goodAnswers,
): void {
  job.end('end_turn', null, { judge: terms });
  const seen = JSON.stringify({ facts: job.effect('phase.judge')?.facts });
  job.judge({ answers });
  const rows = job.tables.get('decisions') ?? [];
  job.tables.set('decisions', [...rows.slice(0, -1), { ...rows.at(-1), seen }]);
  job.run();
}

/** The rows of a stepped job, as the store would give them. */
const createDeps = (job: SteppedJob): PastDeps => ({
  rows: {
    all: (table, where = {}) =>
      (job.tables.get(table) ?? []).filter((row) =>
        Object.entries(where).every(([key, value]) => row[key] === value),
      ) as Tables[typeof table][],
  },
  frames: {
    ofKind: (_job, kind) =>
      job.frames
        .filter((frame) => frame.kind === kind)
        .map(({ data }, n) => ({ n, data: JSON.stringify(data) })),
  },
});

/** Visit and outcome of each rating that has one. */
const outcomes = (job: SteppedJob): string[] => {
  const { id } = job.context;
  const deps = createDeps(job);
  const ratings = listRatedVisits(deps, id);
  const outcomesByKey = deriveOutcomes(ratings, readJobPast(deps, id));
  return ratings.flatMap(({ key, phase }) => {
    const outcome = outcomesByKey.get(key);
    return outcome ? [`${phase} ${outcome.verdict}: ${outcome.why}`] : [];
  });
};

/** Its plan is rated and waits for its approval. */
function createPlannedJob(): SteppedJob {
  const job = new SteppedJob();
  job.run();
  rateVisit(job);
  return job;
}

/** Its code is rated, with a pull request open. */
function coded(): SteppedJob {
  const job = new SteppedJob();
  job.reach('coding');
  job.createPr(1);
  rateVisit(job);
  return job;
}

test('a phase about which no one has said anything has no outcome', () => {
  assert.equal(outcomes(createPlannedJob()), []);
});

test('what is approved was good', () => {
  const job = createPlannedJob();
  job.approve();
  assert.equal(outcomes(job), ['planning good: approved']);
});

test('what is rejected was bad', () => {
  const job = createPlannedJob();
  job.resume('reject');
  job.run();
  assert.equal(outcomes(job), ['planning bad: rejected']);
});

test('what a message sends back was bad', () => {
  const job = createPlannedJob();
  job.message();
  job.run();
  assert.equal(outcomes(job), ['planning bad: message']);
});

test('the second try is another rating: what came of the first stays', () => {
  const job = createPlannedJob();
  job.message();
  job.run();
  rateVisit(job);
  job.approve();
  assert.equal(outcomes(job), ['planning bad: message', 'planning good: approved']);
});

test('what is rerun was bad, though it had been approved', () => {
  const job = createPlannedJob();
  job.approve();
  job.run();
  rateVisit(job);
  job.pause();
  job.end();
  assert.ok(job.rerun('planning'));
  job.run();
  assert.equal(outcomes(job), ['planning bad: rerun']);
});

test('a flag that is dismissed says nothing', () => {
  const job = new SteppedJob();
  job.reach('testing');
  rateVisit(job, MANAGE, FAR_OFF);
  assert.is(job.at, 'parked.flagged');
  job.resume();
  job.run();
  assert.equal(outcomes(job), []);
});

test('a flag after which a person sends the phase back was right', () => {
  const job = new SteppedJob();
  job.reach('testing');
  rateVisit(job, MANAGE, FAR_OFF);
  job.message();
  job.run();
  assert.equal(outcomes(job), ['testing bad: message']);
});

test('a job that fails after the rating was not good', () => {
  const job = new SteppedJob(undefined, { limits: { gateBlocks: 0, sessionsPerVisit: 10 } });
  job.reach('reporting');
  job.tool('set_work_items', {
    items: [{ id: 'w1', title: 'One', status: 'pending', loopCount: 0, prIds: [] }],
  });
  rateVisit(job);
  assert.is(job.at, 'ended.failed');
  assert.equal(outcomes(job), ['reporting bad: failed']);
});

test('code whose pull request needs changes was bad', () => {
  const job = coded();
  job.prEvent('changes_requested');
  assert.equal(outcomes(job), ['coding bad: changes-requested']);
});

const merge = (job: SteppedJob, days = 0, title = 'PR 1', number = 1): void => {
  const at = new Date(job.now + 1 + days * 86_400_000).toISOString();
  const rows = job.tables.get('pr_mappings') ?? [];
  const otherRows = rows.filter((row) => row.number !== number);
  const base = { ...rows[0], number, title, pr_id: `local:shop#${number}` };
  job.tables.set('pr_mappings', [...otherRows, { ...base, state: 'merged', merged_at: at }]);
};

test('code that is merged was good', () => {
  const job = coded();
  merge(job);
  assert.equal(outcomes(job), ['coding good: merged']);
});

for (const [days, outcome] of [
  [14, 'coding bad: reverted'],
  [15, 'coding good: merged'],
] as const)
  test(`a revert after ${days} days: ${outcome}`, () => {
    const job = coded();
    merge(job);
    merge(job, days, 'Revert "PR 1"', 2);
    assert.equal(outcomes(job), [outcome]);
  });

test.run();
