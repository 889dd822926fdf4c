import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readScheduleContext } from '../../../machines/index.ts';
import { listNextCronTimes } from '../../../src/base/system/time/cronTimes.ts';
import { Chance } from '../../sim/chance.ts';
import { aRule, ScheduleStage } from '../../support/charts/scheduleStage.ts';

const test = suite('schedules: a year');

const HOUR = 3_600_000;
const YEAR = Date.UTC(2026, 0, 1);
const NEXT_YEAR = Date.UTC(2027, 0, 1);

interface Year {
  stage: ScheduleStage;
  /** When the process was gone, epoch ms. */
  gone: [from: number, to: number][];
  kills: number;
  /** Why times have no job, by schedule and time: the store keeps the newest 200 of each schedule. */
  skipped: Map<string, string>;
}

const RULES = [
  aRule({
    name: 'berlin',
    cron: '30 2 * * *',
    timeZone: 'Europe/Berlin',
    missed: 'all',
    overlap: 'queue',
  }),
  aRule({
    name: 'york',
    cron: '30 1 * * *',
    timeZone: 'America/New_York',
    missed: 'once',
    jitter: '30m',
  }),
  aRule({ name: 'howe', cron: '15 2 * * 0', timeZone: 'Australia/Lord_Howe', missed: 'skip' }),
  aRule({ name: 'weekly', cron: '0 9 * * MON', overlap: 'cancel', missed: 'once' }),
];

const NEWEST = { order: 'time', desc: true, limit: 10 } as const;

const readLive = (stage: ScheduleStage): string[] =>
  RULES.flatMap(({ name }) => {
    const state = stage.state(name);
    return state === undefined ? [] : readScheduleContext(state).live;
  });

/**
 * Schedules in three zones over a year, with jobs that take hours. The process dies before or after one of
 * eighty commits, and is sometimes gone for days.
 */
async function playYear(seed: string): Promise<Year> {
  const chance = new Chance(seed);
  const stage = new ScheduleStage([...RULES], YEAR);
  const gone: Year['gone'] = [];
  const skipped: Year['skipped'] = new Map();
  let kills = 0;
  stage.atCommit = (moment) => {
    if (!chance.is(0.0125)) return;
    kills += 1;
    stage.die();
    throw new Error(`simulated: the process died ${moment} a commit`);
  };
  while (stage.clock.now() < NEXT_YEAR) {
    for (const { name } of RULES)
      for (const row of stage.store.rows.all('schedule_runs', { schedule: name }, NEWEST))
        if (row.state !== 'started') skipped.set(`${name} ${row.time}`, String(row.problem));
    if (stage.isRunning) {
      await stage.advance(chance.int(1, 12) * HOUR).catch(() => stage.die());
      for (const id of stage.isRunning ? readLive(stage) : [])
        if (stage.isRunning) await stage.end(id).catch(() => stage.die());
      continue;
    }
    const diedAt = stage.clock.now();
    stage.clock.advance(chance.is(0.1) ? chance.int(24, 96) * HOUR : chance.int(0, 60_000));
    gone.push([diedAt, stage.clock.now()]);
    await stage.start().catch(() => stage.die());
  }
  stage.atCommit = () => {};
  if (!stage.isRunning) await stage.start();
  return { stage, gone, kills, skipped };
}

/** The times of the jobs in the store by schedule, as their triggers name them. */
function listJobTimes(stage: ScheduleStage): Map<string, number[]> {
  const times = new Map<string, number[]>(RULES.map(({ name }) => [name, []]));
  for (const { id } of stage.store.actors.list({ chart: 'job', limit: 10_000, offset: 0 }).rows) {
    const { trigger } = Object(Object(stage.kernel.state(id)?.context).params);
    times.get(String(trigger.schedule))?.push(Date.parse(String(trigger.time)));
  }
  return times;
}

test('each time has one job or is left out by its rule, whenever the process dies', async () => {
  const { stage, gone, kills, skipped } = await playYear('a year of schedules');
  const jobs = listJobTimes(stage);
  for (const rule of RULES) {
    const jobTimes = jobs.get(rule.name) ?? [];
    const planned = listNextCronTimes(rule, YEAR + HOUR, 400).filter(
      (time) => time < NEXT_YEAR - 2 * HOUR * 24,
    );
    assert.is(new Set(jobTimes).size, jobTimes.length, `${rule.name}: a time has two jobs`);
    for (const time of jobTimes)
      assert.ok(planned.includes(time) || time >= NEXT_YEAR - 2 * HOUR * 24);
    const without = planned.filter((time) => !jobTimes.includes(time));
    if (rule.missed === 'all') assert.equal(without, [], `${rule.name}: a time has no job`);
    for (const time of without) {
      const why = skipped.get(`${rule.name} ${time}`) ?? '';
      const isMissed = gone.some(([from, to]) => from <= time + HOUR && to > time);
      assert.ok(isMissed || /had not ended/.test(why), `${rule.name} ${time}: ${why}`);
    }
  }
  assert.ok(kills > 30, `${kills} kills`);
  assert.ok((jobs.get('berlin')?.length ?? 0) > 360);
});

test.run();
