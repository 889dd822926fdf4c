import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { SessionBudget } from '../../../src/sessions/limits/sessionBudget.ts';
import { budgetStage } from '../../policy/budgets/stage.ts';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { openStage } from '../../support/agents/executorContract/stage.ts';

const test = suite('budgets of a session that runs');

const CALL = { calls: [{ shell: 'true' }] };

/** A session of the real agent whose every call costs $0.40, in a job that may use so much. */
async function play(usd: number) {
  const budgets = await budgetStage({ caps: { job: { usd } }, call: 400_000 });
  await budgets.start('job-1');
  await using stage = await openStage(builtinSubject('anthropic', {}), {
    work: [CALL, CALL, CALL, CALL, CALL, CALL, { say: 'Done.' }],
  });
  const warned: string[] = [];
  const budget = new SessionBudget('job-1', {
    budgets: budgets.budgets,
    clock: systemClock,
    warn: async (text) => void warned.push(text),
    graceMs: 500,
  });
  const begins = await budget.begins();
  const { session, steering } = await stage.start({
    onEvent(event) {
      stage.events.push(event);
      if (event.type === 'turn') steering.close();
      if (event.type !== 'usage') return undefined;
      return budgets.use('job-1', { micro_usd: 400_000 }).then(() => budget.checkAfterCall());
    },
  });
  budget.watch(session);
  const result = await session.result;
  budget.end();
  return {
    begins,
    result,
    stop: budget.stop,
    asked: stage.model.requests.all.length,
    budgets,
    warned,
  };
}

test('the real agent makes no call after the one that spends the budget (JOB-16)', async () => {
  const { asked } = await play(1);
  assert.is(asked, 3);
});

test('a session that is ended for a budget is interrupted, and the budget is named', async () => {
  const { result, stop } = await play(1);
  assert.is(result.stopReason, 'interrupted');
  assert.is(stop?.exceeded?.spent, 1_200_000);
});

test('what is spent beyond a cap is less than one call', async () => {
  const { budgets } = await play(1);
  const [sum] = budgets.rows.all('usage_sums', { scope: 'job', key: 'job-1' });
  assert.ok((sum?.micro_usd ?? 0) - 1_000_000 < 400_000);
});

test('at 80 % a line of the log warns, once for each cap', async () => {
  const { warned } = await play(2.9);
  assert.equal(warned, ['the budget of job job-1 is nearly spent: $2.40 of $2.90']);
});

test('an agent that begins is shown which budgets are nearly spent', async () => {
  const { budgets } = await play(2.9);
  assert.match(
    budgets.budgets.note('job-1') ?? '',
    /^\[process note\] Little is left: the budget of job job-1 is nearly spent/,
  );
});

test('a session with enough left comes to its own end', async () => {
  const { result, stop, asked } = await play(10);
  assert.is(result.stopReason, 'end_turn');
  assert.is(stop, null);
  assert.is(asked, 7);
});

test('a session is not begun where its minutes are spent, and one that runs is ended by the timer', async () => {
  const budgets = await budgetStage({ caps: { job: { minutes: 1 } } });
  await budgets.start('job-1');
  let endCount = 0;
  const budget = new SessionBudget('job-1', { ...budgets, warn: async () => {}, graceMs: 500 });
  assert.is(await budget.begins(), true);
  budget.watch({
    result: new Promise(() => {}),
    steering: null,
    end: async () => {
      endCount += 1;
    },
  });
  budgets.clock.advance(59_000);
  assert.is(endCount, 0);
  budgets.clock.advance(1_000);
  assert.is(endCount, 1);
  assert.is(budget.stop?.exceeded?.metric, 'minutes');
});

test.run();
