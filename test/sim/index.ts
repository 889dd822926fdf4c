/**
 * The whole runner in one process under a simulated clock, with seeded crashes, delays and
 * failures.
 *
 *   npm run sim -- --seeds 10000              seeds 1 to 10000
 *   npm run sim -- --seeds 1000 --from 5000   seeds 5000 to 5999
 *   npm run sim -- --seed 17                  one seed, with everything that happens
 *   npm run sim -- --walks 20000              random walks of the job chart, --seed names them
 *   npm run sim -- --campaigns 2000 campaigns: kernel, both charts and the runner's rules; --from
 *     and --seed as above
 *
 *   npm run sim -- --steering 10000 one job whose agents are talked to all the time; --from and
 *     --seed as above
 *   npm run sim -- --disk 1000 storms in which the disk is low now and then; --from and --seed as above
 *   npm run sim -- --spending 1000 agents that report what they use, until so many crashes; --seed
 *     replays one storm
 *   npm run sim -- --rating 1000 phases that are rated while the runner dies, until so many ratings;
 *     --seed replays one life
 *   npm run sim -- --weekend jobs that are left alone for 64 hours, --seed names the weekend
 *   npm run sim -- --month 30 so many days of a home with the real runner, store, git and agents: 50
 *     jobs a day (--jobs), with retention and without; prints what each week occupies
 *   npm run sim -- --forge 10000 so many events at a forge, over 50 jobs (--jobs): --at github
 *     (default), gitlab, bitbucket or all; --seed names the storm
 *
 * The exit code is 1 when a seed failed; each prints how to replay it.
 */
import { simulateCampaign } from './campaigns/simulateCampaign.ts';
import { simulateForge } from './remote/simulateForge.ts';
import { STORM_FORGES } from './remote/storm.ts';
import type { StormForge } from './remote/stormForge.ts';
import { ratingReport } from './rating/ratingReport.ts';
import { monthReport } from './month/report.ts';
import { simulate } from './simulate.ts';
import { weekendReport } from './weekend/report.ts';
import { walk } from './walks.ts';
import { toolFlags } from '../../scripts/toolFlags.ts';

/** How often progress is printed, ms. */
const PROGRESS_MS = 10_000;

const { values } = toolFlags({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    walks: { type: 'string' },
    campaigns: { type: 'string' },
    steering: { type: 'string' },
    disk: { type: 'string' },
    spending: { type: 'string' },
    rating: { type: 'string' },
    weekend: { type: 'boolean', default: false },
    month: { type: 'string' },
    forge: { type: 'string' },
    jobs: { type: 'string', default: '50' },
    at: { type: 'string', default: 'github' },
  },
});

/** Storms in which agents report what they use, until so many crashes have been lived through. */
async function spending(from: number, crashes: number): Promise<boolean> {
  const startedAt = Date.now();
  const totals = { seeds: 0, crashes: 0, calls: 0 };
  let failed = 0;
  for (let seed = from; totals.crashes < crashes; seed++) {
    const { broken, counts } = await simulate({ seed, spends: true });
    totals.seeds += 1;
    totals.crashes += counts.crashes;
    totals.calls += counts.calls;
    if (broken.length === 0) continue;
    failed += 1;
    console.log(
      `\nseed ${seed} FAILED; replay it with: npm run sim -- --spending 1 --seed ${seed}`,
    );
    for (const sentence of broken) console.log(`  NOT TRUE that ${sentence}`);
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${JSON.stringify(totals)} in ${seconds} s, ${failed} failed`);
  return failed === 0;
}

/** Kinds of storms, with the flag that names them. */
type Storm = '' | 'steering' | 'disk';

const toWorldOptions = (storm: Storm) => ({
  talkative: storm === 'steering',
  fills: storm === 'disk',
});

async function oneSeed(seed: number, storm: Storm): Promise<boolean> {
  const { broken, counts, jobs } = await simulate({
    seed,
    ...toWorldOptions(storm),
    reported: (line) => console.log(line),
  });
  console.log(JSON.stringify({ seed, ...counts, jobs }));
  for (const sentence of broken) console.log(`NOT TRUE that ${sentence}`);
  return broken.length === 0;
}

async function manySeeds(from: number, seeds: number, storm: Storm): Promise<boolean> {
  const startedAt = Date.now();
  const totals = new Map<string, number>();
  const add = (of: Record<string, number>) => {
    for (const [name, n] of Object.entries(of)) totals.set(name, (totals.get(name) ?? 0) + n);
  };
  const failed: number[] = [];
  let reported = startedAt;
  for (let seed = from; seed < from + seeds; seed++) {
    const simulated = await simulate({ seed, ...toWorldOptions(storm) });
    const { broken, trail, counts, jobs, ways, low } = simulated;
    add({ ...counts, ...(storm === 'disk' ? { low } : {}) });
    add(Object.fromEntries(Object.entries(ways).map(([way, n]) => [`messages ${way}`, n])));
    add(
      Object.fromEntries(
        Object.entries(jobs).map(([status, n]) => [`jobs ${status.split(':')[0]}`, n]),
      ),
    );
    if (broken.length > 0) {
      failed.push(seed);
      console.log(
        `\nseed ${seed} FAILED; replay it with: npm run sim -- ${storm === '' ? '' : `--${storm} 1 `}--seed ${seed}`,
      );
      for (const sentence of broken) console.log(`  NOT TRUE that ${sentence}`);
      for (const line of trail.slice(-15)) console.log(`  | ${line}`);
    }
    if (Date.now() - reported >= PROGRESS_MS) {
      reported = Date.now();
      console.log(
        `${seed - from + 1} of ${seeds} seeds, ${failed.length} failed, ${((reported - startedAt) / 1000).toFixed(0)} s`,
      );
    }
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log([...totals].map(([name, n]) => `${n} ${name}`).join(', '));
  console.log(
    `${seeds} seeds from ${from} in ${seconds} s, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(' ')}` : ''}`,
  );
  return failed.length === 0;
}

async function manyWalks(walks: number, seed: number): Promise<boolean> {
  const startedAt = Date.now();
  console.log(
    `walks from seed ${seed}; replay one with: npm run sim -- --walks 1 --seed <its number>`,
  );
  const totals = await walk({
    walks,
    seed,
    reported: (count) => console.log(`${count} of ${walks} walks`),
  });
  console.log(
    `${JSON.stringify(totals)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s from seed ${seed}`,
  );
  return true;
}

async function oneCampaign(seed: number): Promise<boolean> {
  const { broken, counts } = await simulateCampaign(seed, (line) => console.log(line));
  console.log(JSON.stringify({ seed, ...counts }));
  for (const sentence of broken) console.log(`NOT TRUE that ${sentence}`);
  return broken.length === 0;
}

async function manyCampaigns(from: number, campaigns: number): Promise<boolean> {
  const startedAt = Date.now();
  const totals = new Map<string, number>();
  const failed: number[] = [];
  let reported = startedAt;
  for (let seed = from; seed < from + campaigns; seed++) {
    const { broken, trail, counts } = await simulateCampaign(seed);
    for (const [name, n] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + n);
    if (broken.length > 0) {
      failed.push(seed);
      console.log(
        `\ncampaign ${seed} FAILED; replay it with: npm run sim -- --campaigns 1 --seed ${seed}`,
      );
      for (const sentence of broken) console.log(`  NOT TRUE that ${sentence}`);
      for (const line of trail.slice(-15)) console.log(`  | ${line}`);
    }
    if (Date.now() - reported >= PROGRESS_MS) {
      reported = Date.now();
      console.log(
        `${seed - from + 1} of ${campaigns} campaigns, ${failed.length} failed, ${((reported - startedAt) / 1000).toFixed(0)} s`,
      );
    }
  }
  console.log([...totals].map(([name, n]) => `${n} ${name}`).join(', '));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${campaigns} campaigns from ${from} in ${seconds} s, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(' ')}` : ''}`,
  );
  return failed.length === 0;
}

async function forgeStorm(
  forge: StormForge['id'],
  events: number,
  jobs: number,
  seed: number,
): Promise<boolean> {
  const startedAt = Date.now();
  console.log(
    `${forge}, storm ${seed}; replay it with: npm run sim -- --forge ${events} --at ${forge} --jobs ${jobs} --seed ${seed}`,
  );
  const { broken, trail, counts } = await simulateForge({ forge, seed, events, jobs });
  if (broken.length > 0) for (const line of trail) console.log(`  | ${line}`);
  for (const sentence of broken) console.log(`NOT TRUE that ${sentence}`);
  console.log(
    `${JSON.stringify(counts)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s from seed ${seed}`,
  );
  return broken.length === 0;
}

const FORGES = Object.keys(STORM_FORGES) as StormForge['id'][];

async function forgeStorms(at: string, events: number, jobs: number): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const forges = FORGES.filter((one) => at === 'all' || at === one);
  if (forges.length === 0) throw new Error(`--at must be all, or one of ${FORGES.join(', ')}`);
  let good = true;
  for (const forge of forges) good = (await forgeStorm(forge, events, jobs, seed)) && good;
  return good;
}

const run = (): Promise<boolean> => {
  const {
    walks,
    campaigns,
    steering,
    disk,
    spending: spends,
    rating: ratings,
    weekend,
    month,
    forge,
    at,
    jobs,
    seed,
    seeds,
    from,
  } = values;
  if (ratings !== undefined)
    return ratingReport(Number(seed ?? from), seed === undefined ? Number(ratings) : 1);
  if (month !== undefined) return monthReport(Number(month), Number(jobs));
  if (weekend) return weekendReport(Number(seed ?? from));
  if (forge !== undefined) return forgeStorms(at, Number(forge), Number(jobs));
  if (walks !== undefined)
    return manyWalks(Number(walks), Number(seed ?? Math.floor(Math.random() * 2 ** 31)));
  if (campaigns !== undefined)
    return seed === undefined
      ? manyCampaigns(Number(from), Number(campaigns))
      : oneCampaign(Number(seed));
  if (spends !== undefined)
    return spending(Number(seed ?? from), seed === undefined ? Number(spends) : 1);
  const storm: Storm = steering !== undefined ? 'steering' : disk !== undefined ? 'disk' : '';
  return seed === undefined
    ? manySeeds(Number(from), Number(steering ?? disk ?? seeds), storm)
    : oneSeed(Number(seed), storm);
};
const good = await run();
process.exitCode = good ? 0 : 1;
