import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../machines/index.ts';
import { CHANGED, NOT_PLAYED } from './changed.ts';
import {
  type History,
  contextToday,
  historyNames,
  createHistory,
  readHistory,
  replay,
} from './history.ts';
import { scenes } from './scenes.ts';
import { perform } from './stage.ts';

const test = suite('job chart: recorded lives of jobs');

const NAMES = historyNames();

test('there is one of every scene, and the demo', () => {
  const expected = ['demo', ...NOT_PLAYED, ...scenes().map(({ name }) => name)];
  assert.equal(NAMES.toSorted(), expected.toSorted());
});

test('together they take most of the events that a job knows, and come to every end', () => {
  const rows = NAMES.flatMap((name) => readHistory(name).rows);
  const eventTypes = new Set(rows.map(({ event }) => event.type));
  const never = Object.keys(jobChart.senders).filter((type) => !eventTypes.has(type));
  // The scenes have no sub-runs; those have simulations and stories of their own.
  const ofCampaigns = [
    'tool.register_sub_run',
    'tool.finalize_sub_runs',
    'tool.propose_change',
    'tool.sub_run_command',
    'tool.convert_to_workflow',
  ];
  // Nor caps, accounts of models, the decision layer and full disks.
  const ofOthers = [
    'budget.exceeded',
    'budget.renewed',
    'judge.overdue',
    'phase.judged',
    'phase.postponed',
    'pr.problems',
    'quota.adopted',
    'quota.closed',
  ];
  assert.equal(
    never.toSorted(),
    [
      ...ofCampaigns,
      ...ofOthers,
      'insight.remove',
      'outage.over',
      'phase.unprepared',
      'stop.overdue',
      'subRuns.goOn',
      'subRuns.halted',
      'subRuns.hindered',
      'subRuns.reopened',
      'subRuns.settled',
    ].toSorted(),
  );
  const ends = new Set(NAMES.map((name) => readHistory(name).rows.at(-1)?.path.at(-1)));
  assert.equal([...ends].toSorted(), [
    'ended.cancelled',
    'ended.complete',
    'ended.escalated',
    'ended.failed',
  ]);
});

for (const name of NAMES) {
  const history = readHistory(name);
  test(`${name} goes the same way in today's chart: ${history.what} (RUN-4)`, () => {
    assert.is(history.chart, jobChart.id);
    const changed = CHANGED.filter(({ file }) => file === name);
    const { rows, context } = replay(jobChart, history, changed);
    for (const [index, row] of rows.entries())
      assert.equal(row, history.rows[index], `row ${row.seq}, ${row.event.type}`);
    if (context === null) return;
    const today = contextToday(jobChart, history);
    // Before version 3 no chart counted approvals: the store's migration takes them from the rows
    // of the visits.
    assert.equal(
      context,
      history.version < 3 ? { ...Object(today), approvals: Object(context).approvals } : today,
    );
  });
}

test('a life that is played again takes the way that was recorded', async () => {
  const listSteps = ({ rows }: Pick<History, 'rows'>) =>
    rows.map(({ event, path }) => `${event.type}: ${path.join(' > ')}`);
  for (const scene of scenes()) {
    const { world, jobId } = await perform(scene);
    const played = createHistory(
      scene.what,
      jobChart,
      world.store.durable.journal(jobId, 0, 1_000_000),
      {},
    );
    assert.equal(listSteps(played), listSteps(readHistory(scene.name)), scene.name);
  }
});

test.run();
