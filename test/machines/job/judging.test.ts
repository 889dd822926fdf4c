import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobInput } from '../../../machines/index.ts';
import type {
  CommittedRating,
  RatingTerms,
  OverseerAnswers,
} from '../../../src/contract/schema/policy/decision.ts';
import { JOB_WORKFLOW, SteppedJob, workflow, phase } from '../../support/charts/jobSteps.ts';
import { FAR_OFF, createRating, MANAGE, OBSERVE } from '../../support/charts/ratings.ts';
import { goodAnswers } from '../../support/decisions/aQuestion.ts';

const test = suite('job: the decision layer rates a phase that is over');

const STUCK: OverseerAnswers = { ...goodAnswers, stuck: { probability: 0.75 } };
const UNMET: OverseerAnswers = {
  ...goodAnswers,
  requirement: { choice: 'o1', confidence: 0.5 },
  seriousness: { score: 1.5 },
};

/** A job whose session in `name` ends and is to be rated under these terms. */
function judged(
  terms: RatingTerms,
  {
    name = 'coding',
    before = () => {},
    input = {},
    table = JOB_WORKFLOW,
  }: Partial<{
    name: string;
    before: (job: SteppedJob) => void;
    input: Partial<JobInput>;
    table: typeof JOB_WORKFLOW;
  }> = {},
): SteppedJob {
  const job = new SteppedJob(table, input);
  job.run();
  if (job.context.phase !== name) job.reach(name);
  before(job);
  job.end('end_turn', null, { judge: terms });
  return job;
}

const rate = (job: SteppedJob, answers: OverseerAnswers): SteppedJob => answer(job, { answers });
function answer(job: SteppedJob, outcome: CommittedRating['outcome']): SteppedJob {
  job.judge(outcome);
  return job;
}
const ratePhase = (terms: RatingTerms, answers: OverseerAnswers, more = {}) =>
  rate(judged(terms, more), answers);

test('a session that ends without terms leads on as before', () => {
  const job = new SteppedJob();
  job.run().reach('testing').end();
  assert.is(job.context.phase, 'evaluation');
});

test('a session that ends with terms is rated first', () => {
  assert.is(judged(OBSERVE).at, 'working.judging');
});

test('the rating comes before the checkpoint', () => {
  assert.is(judged(OBSERVE, { name: 'planning' }).at, 'working.judging');
});

test('after it the checkpoint holds', () => {
  assert.is(ratePhase(OBSERVE, goodAnswers, { name: 'planning' }).at, 'parked.approval');
});

test('Observe records a flag and does not pause', () => {
  const job = ratePhase(OBSERVE, FAR_OFF, { name: 'testing' });
  assert.is(job.context.phase, 'evaluation');
});

test('what is recorded is one row for the session', () => {
  const rows = ratePhase(OBSERVE, FAR_OFF, { name: 'testing' }).rows('decisions');
  assert.equal(
    rows.map(({ goal, pauses, mode }) => ({ goal, pauses, mode })),
    [{ goal: 0.2, pauses: 0, mode: 'shadow' }],
  );
});

for (const [what, terms, input, answers, pauses] of [
  ['Manage', MANAGE, {}, FAR_OFF, true],
  ['Observe', OBSERVE, {}, FAR_OFF, false],
  ['Manage with onFlag flag-only', { ...MANAGE, onFlag: 'flag-only' }, {}, FAR_OFF, false],
  ['Manage, not interactive', MANAGE, { interactive: false }, FAR_OFF, false],
  ['a goal of 25 %', MANAGE, {}, { ...goodAnswers, goal: { probability: 0.25 } }, true],
  ['a goal of 26 %', MANAGE, {}, { ...goodAnswers, goal: { probability: 0.26 } }, false],
  ['an unmet requirement at both thresholds', MANAGE, {}, UNMET, true],
  [
    'an unmet requirement, less sure',
    MANAGE,
    {},
    { ...UNMET, requirement: { choice: 'o1', confidence: 0.49 } },
    false,
  ],
  [
    'an unmet requirement, less serious',
    MANAGE,
    {},
    { ...UNMET, seriousness: { score: 1.4 } },
    false,
  ],
  [
    'a goal of 85 % with an unmet requirement of low confidence',
    MANAGE,
    {},
    {
      ...goodAnswers,
      goal: { probability: 0.85 },
      requirement: { choice: 'o1', confidence: 0.3 },
      seriousness: { score: 3 },
    },
    false,
  ],
  [
    'every requirement met, though serious',
    MANAGE,
    {},
    { ...UNMET, requirement: { choice: 'none', confidence: 1 } },
    false,
  ],
  ['an agent that looks stuck', MANAGE, {}, STUCK, false],
  [
    'another cutoff: 0.9 and a goal of 10 %',
    { ...MANAGE, thresholds: { ...MANAGE.thresholds, offTrackNoul: 0.9 } },
    {},
    { ...goodAnswers, goal: { probability: 0.1 } },
    true,
  ],
] as const) {
  test(`${what}: ${pauses ? 'pauses' : 'does not pause'}`, () => {
    const job = ratePhase(terms, answers, { name: 'testing', input });
    assert.is(job.at === 'parked.flagged', pauses);
  });
}

const flagged = (more = {}) => ratePhase(MANAGE, FAR_OFF, { name: 'testing', ...more });

test('a paused job waits for a developer', () => {
  assert.is(flagged().status, 'awaiting-developer-input');
});

test('the reason is in plain words', () => {
  assert.match(
    flagged().context.parked?.reason ?? '',
    /^phase testing: the work looks off track: 20 % likely to serve the objective\. Resume/,
  );
});

test('an unmet requirement is named by its text', () => {
  const { parked } = ratePhase(MANAGE, UNMET, { name: 'testing' }).context;
  assert.match(parked?.reason ?? '', /a requirement looks unmet: The tests pass\./);
});

test('a resume continues with what follows', () => {
  const job = flagged();
  job.resume();
  job.run();
  assert.is(job.context.phase, 'evaluation');
});

test('a resume is no approval of a checkpoint', () => {
  const job = ratePhase(MANAGE, FAR_OFF, { name: 'planning' });
  job.resume();
  assert.is(job.at, 'parked.approval');
});

test('a dismissed flag does not pause the visit again', () => {
  const job = ratePhase(MANAGE, FAR_OFF, { name: 'planning' });
  job.resume();
  job.approve();
  assert.is(job.at, 'queued');
});

test('a phase that runs again may be flagged again', () => {
  const job = flagged();
  job.message('look again');
  job.run();
  job.end('end_turn', null, { judge: MANAGE });
  assert.is(rate(job, FAR_OFF).at, 'parked.flagged');
});

test('a message runs the phase again', () => {
  const job = flagged();
  job.message('look again');
  job.run();
  assert.is(job.context.phase, 'testing');
});

test('a message is no approval', () => {
  const job = ratePhase(MANAGE, FAR_OFF, { name: 'planning' });
  job.message('look again');
  job.run();
  assert.is(job.context.phase, 'planning');
});

test('what the agent awaits is awaited after a resume', () => {
  const job = flagged({
    name: 'coding',
    before: (one: SteppedJob) => {
      one.createPr(1);
      one.awaitEvent();
    },
  });
  job.resume();
  assert.is(job.at, 'parked.event');
});

test('goto_phase is followed after a resume', () => {
  const job = flagged({
    before: (one: SteppedJob) => one.tool('goto_phase', { phase: 'coding', reason: 'again' }),
  });
  job.resume();
  job.run();
  assert.is(job.context.phase, 'coding');
});

test('an agent that escalates is not rated', () => {
  const job = judged(MANAGE, {
    name: 'testing',
    before: (one) => one.tool('escalate', { message: 'help' }),
  });
  assert.is(job.at, 'ended.escalated');
});

test('a phase that continues in a new session is not over, and not rated', () => {
  const job = judged(MANAGE, {
    name: 'testing',
    before: (one) => one.tool('request_new_session', { prompt: 'more' }),
  });
  assert.is(job.at, 'working.inSession');
});

test('without an answer the job continues', () => {
  const job = judged(MANAGE, { name: 'testing' });
  job.send({ type: 'judge.overdue' });
  assert.is(job.context.phase, 'evaluation');
});

test('a skip is recorded with its reason and without a rating', () => {
  const job = answer(judged(MANAGE, { name: 'testing' }), { skipped: 'It answers 503.' });
  assert.equal(
    job.rows('decisions').map(({ skipped, goal, flag }) => ({ skipped, goal, flag })),
    [{ skipped: 'It answers 503.', goal: null, flag: null }],
  );
});

test('an answer that is late changes nothing', () => {
  const job = judged(MANAGE, { name: 'testing' });
  const { visit, session } = job.context;
  job.send({ type: 'judge.overdue' });
  const late = {
    type: 'phase.judged',
    visit,
    session,
    judgement: createRating({ answers: FAR_OFF }),
  };
  assert.is(job.send(late), false);
});

test('a pause while it is rated keeps the end of the session', () => {
  const job = judged(MANAGE, { name: 'testing' });
  job.pause();
  job.resume();
  job.run();
  assert.is(job.context.phase, 'evaluation');
});

test('a cancel while it is rated ends the job', () => {
  const job = judged(MANAGE, { name: 'testing' });
  job.cancel('no longer needed');
  assert.is(job.at, 'ended.cancelled');
});

/** The prompt of the session that runs now. */
const getPrompt = (job: SteppedJob): string =>
  String((job.effect('session.open') as { prompt: string | null }).prompt ?? '');

test('the next phase is given a note about a flagged one', () => {
  const job = ratePhase(OBSERVE, FAR_OFF, { name: 'testing' });
  job.prepared();
  assert.match(getPrompt(job), /^\[process note\] The phase before this one, testing, was checked/);
});

test('the next phase is given a note about an agent that looked stuck', () => {
  const job = ratePhase(OBSERVE, STUCK, { name: 'testing' });
  job.prepared();
  assert.match(getPrompt(job), /waiting for something it could not resolve/);
});

test('after a phase in order there is no note', () => {
  const job = ratePhase(OBSERVE, goodAnswers, { name: 'testing' });
  job.prepared();
  assert.is(getPrompt(job), '');
});

test('the phase itself is not given the note when it runs again', () => {
  const job = flagged();
  job.message('look again');
  job.slot();
  job.prepared();
  assert.not.match(getPrompt(job), /process note/);
});

test('the phase after the next one is not given the note', () => {
  const job = ratePhase(OBSERVE, FAR_OFF, { name: 'testing' });
  job.prepared();
  job.end();
  job.prepared();
  assert.not.match(getPrompt(job), /process note/);
});

const TWO = workflow([phase('one'), phase('two')]);

test('the last phase is rated too', () => {
  assert.is(judged(OBSERVE, { name: 'two', table: TWO }).at, 'working.judging');
});

test('a rating that is good completes the job', () => {
  assert.is(ratePhase(MANAGE, goodAnswers, { name: 'two', table: TWO }).at, 'ended.complete');
});

test.run();
