import { setTimeout as wait } from 'node:timers/promises';
import { under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { openJobKernel } from '../jobKernel.ts';
import { monotonicMs } from '../monotonic.ts';
import { parkedId, SILENT_PORTS, seedParked } from '../seedJobs.ts';
import { median, percentile } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 7;
const SINGLES = 150;
/** Jobs woken together in each round, by as many senders as this. */
const BURST = 1_000;
const SENDERS = 50;
/**
 * Pause between the answer to one event and the next event, so that the woken job is idle again,
 * ms.
 */
const APART_MS = 3;
const WARM_UP = 2_000;
/** Pause between a burst and what follows, so that the woken jobs are idle again, ms. */
const SETTLE_MS = 500;

type Host = HostProcess<RunnerHostCalls>;

export const wakeRequest = (id: string): Buffer =>
  requestBytes('POST', `/jobs/${id}/resume`, { eventKey: 'manual-resume' });

/** From event to first effect of each job, ms; one event at a time. */
async function single(
  host: Host,
  sender: HttpConnection,
  ids: readonly string[],
): Promise<number[]> {
  const sentAt = new Map<string, number>();
  for (const id of ids) {
    const request = wakeRequest(id);
    sentAt.set(id, monotonicMs());
    await sender.ask(request);
    await wait(APART_MS);
  }
  return (await host.call('begun', ids.length)).map(
    ([id, at]) => at - (sentAt.get(id) ?? Number.NaN),
  );
}

/** From the first event until the last job's first effect, ms, and the processor time for it. */
export async function burst(
  host: Host,
  senders: readonly HttpConnection[],
  ids: readonly string[],
): Promise<{ ms: number; cpu: number }> {
  const requests = ids.map(wakeRequest);
  // What a job does after its first effect is not part of its waking.
  await host.call('hold');
  const before = await host.call('cpu');
  const start = monotonicMs();
  await Promise.all(
    senders.map(async (sender) => {
      for (let request = requests.pop(); request; request = requests.pop())
        await sender.ask(request);
    }),
  );
  const ms = Math.max(...(await host.call('begun', ids.length)).map(([, at]) => at)) - start;
  const cpu = (await host.call('cpu')) - before;
  await host.call('release');
  await wait(SETTLE_MS);
  return { ms, cpu };
}

/**
 * Events over HTTP to jobs that are rows on disk, until their first effect begins in the runner's
 * process: real runner and surface, effects that do nothing. Every job is woken once.
 */
export const wakeRow: Row = {
  figures: ['wake.p50', 'wake.p99', 'wake.burst'],
  async measure(lab, note) {
    const home = lab.folder('wake');
    writeHome(home);
    const count = WARM_UP + ROUNDS * (SINGLES + BURST);
    const seeded = await openJobKernel(home, SILENT_PORTS);
    await seedParked(seeded.kernel, 0, count);
    await seeded[Symbol.asyncDispose]();

    await using host = await HostProcess.start<RunnerHostCalls>(lab, 'runnerHost', home, 'instant');
    const port = await host.call('port');
    const senders = await Promise.all(
      Array.from({ length: SENDERS }, () => HttpConnection.open(port)),
    );
    const [first] = senders;
    if (!first) throw new Error('there is no sender');
    const ids = Array.from({ length: count }, (_, n) => parkedId(n));
    const take = (jobs: number) => ids.splice(0, jobs);

    await burst(host, senders, take(WARM_UP));
    const singles: number[] = [];
    const bursts: { ms: number; cpu: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      singles.push(...(await single(host, first, take(SINGLES))));
      bursts.push(await burst(host, senders, take(BURST)));
    }
    for (const sender of senders) sender.close();
    const texts = bursts.map(({ ms, cpu }) => `${Math.round(ms)} (${Math.round(cpu)})`);
    note(`bursts of ${BURST}, ms (of them processor time of the runner): ${texts.join(', ')}`);
    return {
      'wake.p50': under({ value: percentile(singles, 50), unit: 'ms', target: 1.5 }),
      'wake.p99': under({ value: percentile(singles, 99), unit: 'ms', target: 10 }),
      'wake.burst': under({ value: median(bursts.map(({ ms }) => ms)), unit: 'ms', target: 300 }),
    };
  },
};
