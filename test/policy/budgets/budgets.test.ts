import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listOtherSpentBudgets } from '../../../src/policy/budgets/budgetRaise.ts';
import { budgetStage } from './stage.ts';

const test = suite('budgets of jobs');

test('without a cap a job gets its slot and holds nothing', async () => {
  const { start, holds, leaf } = await budgetStage();
  await start('job-1');
  assert.is(leaf('job-1'), '{"working":"preparing"}');
  assert.equal(holds(), []);
});

test('what a session is likely to use is held in the commit that grants the slot (JOB-16)', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 50 } }, call: 1_080_000 });
  await stage.start('job-1');
  assert.equal(stage.holds(), [['job-1', 1_080_000]]);
});

test('a hold is settled in the commit that frees the slot (JOB-16)', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 50 } } });
  await stage.start('job-1');
  await stage.kernel.send('job-1', { type: 'job.pause' });
  assert.equal(stage.holds(), []);
});

test('two jobs that are granted in one commit do not hold the same money', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 1.5 } } });
  await Promise.all([stage.start('job-1'), stage.start('job-2')]);
  assert.equal(stage.holds(), [
    ['job-1', 1_000_000],
    ['job-2', 500_000],
  ]);
});

test('a job waits in the line for what others hold, and gets its slot when they have settled', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 1 } } });
  await stage.start('job-1');
  await stage.start('job-2');
  assert.is(stage.leaf('job-2'), '"queued"');
  await stage.kernel.send('job-1', { type: 'job.pause' });
  assert.equal(stage.holds(), [['job-2', 1_000_000]]);
});

test('a job whose budget is spent parks, and is shown which one, its numbers and what to do (JOB-11)', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 2 } } });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 1_900_000 });
  await stage.kernel.send('job-1', { type: 'job.pause' });
  await stage.kernel.send('job-1', { type: 'job.resume', eventKey: 'manual-resume' });
  assert.is(stage.leaf('job-1'), '{"parked":"budget"}');
  assert.is(
    stage.context('job-1').parked?.reason,
    'the budget of job job-1 is spent: $1.90 of $2.00 (set in the configuration), and too little is left to start a session. To continue, raise it: svc budget raise --usd <more>, or resume with a budget; nothing is lost.',
  );
});

/** A job that its own budget of two dollars has stopped. */
const stoppedJob = async () => {
  const stage = await budgetStage({ caps: { job: { usd: 2 } } });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 2_000_000 });
  await stage.kernel.send('job-1', { type: 'job.pause' });
  await stage.kernel.send('job-1', { type: 'job.resume', eventKey: 'manual-resume' });
  return stage;
};

test('a raise of the job lets it continue where it was (JOB-11)', async () => {
  const stage = await stoppedJob();
  await stage.service.setBudget('job', { key: 'job-1', raise: { usd: 5 } }, { by: 'token' });
  assert.is(stage.leaf('job-1'), '{"working":"preparing"}');
});

test('a cap that was raised is shown with who has done it', async () => {
  const stage = await stoppedJob();
  const { budgets } = await stage.service.setBudget(
    'job',
    { key: 'job-1', raise: { usd: 5 } },
    { by: 'token' },
  );
  assert.equal(
    budgets.map(({ scope, cap, spent, by }) => ({ scope, cap, spent, by })),
    [{ scope: 'job', cap: 7, spent: 2, by: 'person' }],
  );
});

test('a raise of a budget without a cap is refused, and changes nothing', async () => {
  const stage = await stoppedJob();
  const raised = stage.service.setBudget('day', { raise: { usd: 5 } }, { by: 'token' });
  const refused = await raised.then(
    () => null,
    (error) => error,
  );
  assert.match(refused?.message ?? '', /has no cap of usd to raise\. Set one first/);
  assert.equal(stage.rows.all('budget_caps'), []);
});

test('the configured budget of a repository can be raised, also the first time', async () => {
  const stage = await budgetStage({ caps: { repository: { usd: 2 } } });
  const { budgets } = await stage.service.setBudget(
    'repository',
    { key: 'shop', raise: { usd: 5 } },
    { by: 'token' },
  );
  assert.equal(
    budgets.map(({ key, cap }) => [key, cap]),
    [['shop', 7]],
  );
});

test('a resume is refused with over-budget while the budget is spent', async () => {
  const stage = await stoppedJob();
  const refused = await stage.commands.resume('job-1', {}, { by: 'open' }).catch((error) => error);
  assert.is(refused.code, 'over-budget');
});

test('a resume with a budget raises it and continues in one commit', async () => {
  const stage = await stoppedJob();
  await stage.commands.resume('job-1', { budget: { usd: 1 } }, { by: 'open' });
  assert.is(stage.leaf('job-1'), '{"working":"preparing"}');
});

test('a resume with too small a budget changes nothing', async () => {
  const stage = await stoppedJob();
  await stage.commands.resume('job-1', { budget: { usd: 0.1 } }, { by: 'open' }).catch(() => {});
  assert.equal(stage.rows.all('budget_caps'), []);
});

/** A job that has spent its own $2, the day's $1, and the tokens of the runner. */
const stoppedByThree = async () => {
  const caps = { job: { usd: 2 }, day: { usd: 1 }, runner: { tokens: 10 } };
  const stage = await budgetStage({ caps });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 2_000_000, input_tokens: 10 });
  await stage.kernel.send('job-1', { type: 'job.pause' });
  await stage.kernel.send('job-1', { type: 'job.resume', eventKey: 'manual-resume' });
  return stage;
};

test('each spent budget is shown beside the one that a job was parked for (JOB-11)', async () => {
  const stage = await stoppedByThree();
  const context = stage.context('job-1');
  assert.match(context.parked?.reason ?? '', /^the budget of job job-1 is spent/);
  const [day, runner, ...more] = listOtherSpentBudgets(
    context,
    stage.budgets.findProblems(context),
  );
  assert.match(day ?? '', /^the budget of the day .* is spent: \$2\.00 of \$1\.00/);
  assert.match(runner ?? '', /^the budget of this runner is spent: 10 tokens of 10 tokens/);
  assert.equal(more, []);
});

test('one raise lets a job continue that several budgets have stopped (JOB-11)', async () => {
  const stage = await stoppedByThree();
  await stage.commands.resume('job-1', { budget: { usd: 5, tokens: 100 } }, { by: 'open' });
  assert.is(stage.leaf('job-1'), '{"working":"preparing"}');
});

test('a raise is of the spent budgets that count the metric, and of no other', async () => {
  const stage = await stoppedByThree();
  await stage.commands.resume('job-1', { budget: { usd: 5, tokens: 100 } }, { by: 'open' });
  assert.equal(
    stage.rows.all('budget_caps').map(({ scope, metric, raised }) => [scope, metric, raised]),
    [
      ['day', 'usd', 5_000_000],
      ['job', 'usd', 5_000_000],
      ['runner', 'tokens', 100],
    ],
  );
});

test('a raise of some of them is refused with the ones that are left, and changes nothing', async () => {
  const stage = await stoppedByThree();
  const refused = await stage.commands
    .resume('job-1', { budget: { usd: 5 } }, { by: 'open' })
    .catch((e) => e);
  assert.match(refused.message, /the budget of this runner is spent: 10 tokens/);
  assert.equal(stage.rows.all('budget_caps'), []);
});

test('a refusal names each spent budget', async () => {
  const stage = await stoppedByThree();
  const refused = await stage.commands.resume('job-1', {}, { by: 'open' }).catch((error) => error);
  for (const name of [/budget of job job-1/, /budget of the day/, /budget of this runner/])
    assert.match(refused.message, name);
});

test('a budget cannot be raised by the resume of a job that waits for none', async () => {
  const stage = await budgetStage({ limit: 0 });
  await stage.start('job-1');
  await stage.kernel.send('job-1', { type: 'job.pause' });
  const refused = await stage.commands
    .resume('job-1', { budget: { usd: 1 } }, { by: 'open' })
    .catch((e) => e);
  assert.is(refused.code, 'not-possible-now');
});

test('a raise of a day is for that day alone', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 1 } } });
  await stage.service.setBudget('day', { raise: { usd: 2 } }, { by: 'token' });
  stage.clock.advance(86_400_000);
  assert.is(stage.service.budgets({}).budgets[0]?.cap, 1);
});

test('a raise of the visits of a phase is for all of them in the job', async () => {
  const stage = await budgetStage({ caps: { phase: { visits: 2 } }, limit: 0 });
  await stage.start('job-1');
  const [before] = stage.budgets.accounts(stage.context('job-1'));
  const id = { scope: 'phase', key: before?.key ?? '', metric: 'visits', window: '' } as const;
  await stage.writeRows([
    { op: 'put', table: 'budget_caps', row: { ...id, cap: null, raised: 3, at: 0, by: 'token' } },
  ]);
  const [visits] = stage.budgets.accounts({ ...stage.context('job-1'), visit: 7 });
  assert.is(visits?.cap, 5);
});

test('a person may cap what the configuration does not', async () => {
  const stage = await budgetStage();
  await stage.service.setBudget('runner', { caps: { tokens: 1_000 } }, { by: 'token' });
  assert.is(stage.service.budgets({}).budgets[0]?.cap, 1_000);
});

test('the budget of a session is not set by a person in advance', async () => {
  const stage = await budgetStage();
  const refused = await stage.service
    .setBudget('session', { caps: { usd: 1 } }, { by: 'token' })
    .catch((error) => error);
  assert.is(refused.code, 'invalid');
});

test('the budget of a day that is spent wakes the job by itself at midnight in UTC', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 1 } } });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 1_000_000 });
  await stage.start('job-2');
  assert.is(stage.leaf('job-2'), '{"parked":"budget"}');
  const until = Date.parse(stage.context('job-2').parked?.until ?? '');
  assert.is(until % 86_400_000, 0);
  stage.clock.advance(until - stage.clock.now());
  await stage.kernel.awaitFlushed();
  assert.is(stage.leaf('job-2'), '{"working":"preparing"}');
});

test('a session continues while budgets are left, and stops after the call that spends one', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 2 } } });
  await stage.start('job-1');
  assert.is(await stage.budgets.begin('job-1'), null);
  await stage.use('job-1', { micro_usd: 1_500_000 });
  assert.is(await stage.budgets.findStopAfterCall('job-1'), null);
  await stage.use('job-1', { micro_usd: 600_000 });
  assert.is((await stage.budgets.findStopAfterCall('job-1'))?.exceeded?.spent, 2_100_000);
});

test('a session that has used up what it held holds more of what is left', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 10 } } });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 1_200_000 });
  assert.is(await stage.budgets.findStopAfterCall('job-1'), null);
  const [hold] = stage.rows.all('budget_holds');
  assert.is(hold?.base_usd, 1_200_000);
});

test('a session stops where others hold the rest, although the budget is not spent', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 2 } } });
  await stage.start('job-1');
  await stage.start('job-2');
  await stage.use('job-1', { micro_usd: 1_000_000 });
  assert.equal(await stage.budgets.findStopAfterCall('job-1'), { exceeded: null });
});

test('calls that cost nothing are not under caps on dollars', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 1 } }, metered: false });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 0, metered: 0, input_tokens: 9_000_000 });
  assert.is(await stage.budgets.findStopAfterCall('job-1'), null);
});

test('calls that cost nothing are under caps on tokens', async () => {
  const stage = await budgetStage({ caps: { job: { tokens: 1_000 } }, metered: false });
  await stage.start('job-1');
  await stage.use('job-1', { metered: 0, input_tokens: 900, output_tokens: 100 });
  assert.is((await stage.budgets.findStopAfterCall('job-1'))?.exceeded?.metric, 'tokens');
});

test('an unknown price counts as the configuration assumes, not as 0', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 1 } } });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: null, input_tokens: 60_000, output_tokens: 2_000 });
  assert.is((await stage.budgets.findStopAfterCall('job-1'))?.exceeded?.spent, 1_050_000);
});

test('params of a job tighten its cap', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 10 } } });
  await stage.start('job-1', { budget: { job: { usd: 0.5 } } });
  assert.equal(stage.holds(), [['job-1', 500_000]]);
});

test('the list of budgets names those that were nearly spent, with the job at work (JOB-16)', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 1 } } });
  await stage.start('job-1');
  await stage.use('job-1', { micro_usd: 850_000 });
  await stage.budgets.warnings('job-1');
  assert.equal(stage.service.budgets({}).warnings, [
    {
      scope: 'job',
      key: 'job-1',
      window: '',
      metric: 'usd',
      at: new Date(stage.clock.now()).toISOString(),
      job: 'job-1',
      text: 'the budget of job job-1 is nearly spent: $0.85 of $1.00',
    },
  ]);
});

test('minutes that are left are those of the tightest account', async () => {
  const stage = await budgetStage({ caps: { job: { minutes: 30 }, session: { minutes: 5 } } });
  await stage.start('job-1');
  await stage.use('job-1', { ms: 60_000 });
  assert.is(stage.budgets.timeLeft('job-1'), 4 * 60_000);
});

test('a session is given the dollars that are left of the tightest cap, without what others hold', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 9 }, day: { usd: 5 } } });
  await stage.start('job-1');
  await stage.start('job-2');
  assert.is(stage.budgets.usdLeft('job-1'), 4);
});

test('a session is given no dollars where svc does not count as its vendor does', async () => {
  const stage = await budgetStage({ caps: { job: { usd: 9 } }, listed: false });
  await stage.start('job-1');
  assert.is(stage.budgets.usdLeft('job-1'), null);
});

test('two raises of one budget at the same time both count (JOB-11)', async () => {
  const stage = await budgetStage({ caps: { day: { usd: 5 } } });
  await Promise.all([
    stage.service.setBudget('day', { raise: { usd: 1 } }, { by: 'token' }),
    stage.service.setBudget('day', { raise: { usd: 2 } }, { by: 'token' }),
  ]);
  assert.is(stage.budgets.listShared()[0]?.cap, 8_000_000);
});

test.run();
