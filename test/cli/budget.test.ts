import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import BudgetCommand from '../../cli/commands/budget/index.ts';
import BudgetRaiseCommand from '../../cli/commands/budget/raise.ts';
import JobCommand from '../../cli/commands/job.ts';
import type { BudgetList } from '../../src/contract/schema/policy/budget.ts';
import { ESTIMATE } from '../support/http/fakeFacade.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('command budget');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-budget-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const LIST: BudgetList = {
  budgets: [
    {
      scope: 'day',
      key: '',
      window: '2026-11-22',
      metric: 'usd',
      cap: 50,
      spent: 12.5,
      held: 1.08,
      by: 'config',
      until: '2026-11-23T00:00:00.000Z',
    },
  ],
};

const run = async (
  home: string,
  command: typeof BudgetCommand | typeof BudgetRaiseCommand,
  argv: string[],
) => {
  const runner = await fakeRunner({ 'GET /budgets': [200, LIST], 'PUT /budgets/day': [200, LIST] });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    const { out } = await line.run(command, argv);
    return { out, seen: runner.seen };
  } finally {
    await runner.close();
  }
};

test('svc budget shows what is spent, held and capped (CLI-1)', async ({ home }) => {
  const { out } = await run(home, BudgetCommand, []);
  assert.match(out, /day +2026-11-22 +\$12\.50 +\$1\.08 +\$50\.00 +config/);
});

test('svc budget of a job asks for those that it is under', async ({ home }) => {
  const { seen } = await run(home, BudgetCommand, ['job-1']);
  assert.is(seen.at(-1)?.path, '/budgets?job=job-1');
});

test('svc budget raise --of day raises that of the day', async ({ home }) => {
  const { seen } = await run(home, BudgetRaiseCommand, ['--of', 'day', '--usd', '20']);
  assert.equal(seen.at(-1)?.body, { raise: { usd: 20 } });
});

test('svc budget raise without an amount names what is missing', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home });
  const { err } = await line.run(BudgetRaiseCommand, ['--of', 'day']);
  assert.match(err, /Give an amount, such as --usd 5\./);
});

const estimate = async (home: string, argv: string[] = []) => {
  const runner = await fakeRunner({ 'POST /jobs/estimate': [200, ESTIMATE] });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    const { out } = await line.run(JobCommand, [
      ...'-r shop --reviewers ana -d x --estimate'.split(' '),
      ...argv,
    ]);
    return { out, seen: runner.seen };
  } finally {
    await runner.close();
  }
};

test('svc job --estimate prints what the job may use, a line for each sentence (CLI-1)', async ({
  home,
}) => {
  const { out } = await estimate(home);
  assert.is(out, 'At worst $80.00.\nNo history.\nIt is stopped at $10.00.\n');
});

test('svc job --estimate creates nothing', async ({ home }) => {
  const { seen } = await estimate(home);
  assert.equal(
    seen.map(({ method, path }) => `${method} ${path}`),
    ['POST /jobs/estimate'],
  );
});

test('svc job --estimate --json prints the reply of POST /jobs/estimate', async ({ home }) => {
  const { out } = await estimate(home, ['--json']);
  assert.equal(JSON.parse(out), ESTIMATE);
});

test.run();
