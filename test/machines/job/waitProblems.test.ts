import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildListRows } from '../../../machines/job/buildListRows.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job: a wait for what cannot come');

const GONE = { why: 'its branch change no longer exists', asks: true };
const REFUSED = { why: 'github refuses svc', asks: false };
const ID = 'local:shop#1';

/** A job that waits, with these pull requests open. */
const createWaitingJob = (
  request: Parameters<SteppedJob['awaitEvent']>[0] = {},
  ...numbers: number[]
) => {
  const job = new SteppedJob().reach('coding');
  for (const number of [1, ...numbers]) job.createPr(number);
  job.awaitEvent(request);
  return job.end();
};

const reportProblems = (
  job: SteppedJob,
  problem: typeof GONE | null,
  ...prIds: string[]
): boolean =>
  job.send({
    type: 'pr.problems',
    found: (prIds.length > 0 ? prIds : [ID]).map((prId) => ({ prId, problem })),
  });

/** What the list shows that a person is asked for. */
const readAsk = (job: SteppedJob) => {
  const [row] = buildListRows(undefined, job.state, { at: 1 });
  return row?.op === 'put' ? row.row.ask : undefined;
};

const lines = (job: SteppedJob): string[] =>
  job.frames.flatMap(({ kind, data }) =>
    kind === 'log' && data !== null && typeof data === 'object' && 'line' in data
      ? [String(data.line)]
      : [],
  );

test('a problem is a line of the log once, the reason of the wait, and asks for a person until it is over', () => {
  const job = createWaitingJob();
  const before = job.context.parked;
  reportProblems(job, GONE);
  reportProblems(job, GONE);
  assert.is(
    job.context.parked?.reason,
    `${before?.reason}; but ${ID}: its branch change no longer exists`,
  );
  assert.is(job.context.parked?.since, before?.since);
  assert.is(readAsk(job), 'input');
  assert.is(job.at, 'parked.event');
  reportProblems(job, null);
  assert.equal(job.context.parked, before);
  assert.is(readAsk(job), 'review');
  assert.equal(
    lines(job).filter((line) => line.includes(GONE.why)),
    [`${ID}: ${GONE.why}`, `${ID}: no longer so: ${GONE.why}`],
  );
});

test('while another pull request can bring something, a person is asked for its review alone, unless one is awaited by name', () => {
  const any = createWaitingJob({}, 2);
  reportProblems(any, GONE);
  assert.is(readAsk(any), 'review');
  assert.match(any.context.parked?.reason ?? '', GONE.why);
  reportProblems(any, GONE, 'local:shop#2');
  assert.is(readAsk(any), 'input');
  const job = createWaitingJob({ prId: ID }, 2);
  reportProblems(job, GONE);
  assert.is(readAsk(job), 'input');
});

test('a forge that refuses svc is the reason of every wait for it, and asks for nothing but the review', () => {
  const job = createWaitingJob();
  reportProblems(job, REFUSED);
  assert.match(job.context.parked?.reason ?? '', REFUSED.why);
  assert.is(readAsk(job), 'review');
});

test('a job that waits for the merge of one that is closed reports it and asks', () => {
  const job = createWaitingJob({ kinds: ['merged'], prId: ID }, 2);
  job.prEvent('closed', 1);
  assert.is(job.run().context.phase, 'coding', 'its close wakes the job, whatever kinds it awaits');
  job.awaitEvent({ kinds: ['merged'], prId: ID });
  job.end();
  assert.is(job.at, 'parked.event');
  assert.match(job.context.parked?.reason ?? '', `but ${ID} was closed without a merge`);
  assert.is(readAsk(job), 'input');
  job.prEvent('reopened', 1);
  assert.is(readAsk(job), 'review');
});

test('a problem that is known when the wait begins is said from its start, and one of another pull request nowhere', () => {
  const job = new SteppedJob().reach('coding');
  job.createPr(1);
  reportProblems(job, GONE);
  reportProblems(job, GONE, 'local:shop#9');
  job.awaitEvent();
  job.end();
  assert.match(job.context.parked?.reason ?? '', GONE.why);
  assert.is(job.context.prs.length, 1);
});

test('a complete job asks what is to become of a pull request that is open, until it is decided', () => {
  const job = new SteppedJob().reach('reporting');
  job.createPr(1);
  job.end();
  assert.is(job.at, 'ended.complete');
  assert.is(readAsk(job), 'open-pr');
  job.prEvent('closed', 1);
  assert.is(readAsk(job), null);
  job.prEvent('reopened', 1);
  assert.is(readAsk(job), 'open-pr');
  job.prEvent('merged', 1);
  assert.is(readAsk(job), null);
});

test('a wait for what only a person does to an open pull request asks for a review; one for CI alone asks no one (JOB-9)', () => {
  assert.is(readAsk(createWaitingJob()), 'review');
  assert.is(readAsk(createWaitingJob({ kinds: ['merged'], prId: ID })), 'review');
  assert.is(readAsk(createWaitingJob({ kinds: ['check_failed', 'commented'] })), 'review');
  assert.is(
    readAsk(createWaitingJob({ kinds: ['check_passed', 'check_failed', 'conflict'] })),
    null,
  );
  const job = createWaitingJob({ kinds: ['check_passed'], prId: ID });
  job.prEvent('check_passed', 1);
  assert.is(readAsk(job), null, 'it works');
});

test.run();
