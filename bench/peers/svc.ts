import { setTimeout as wait } from 'node:timers/promises';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { EngineHostCalls } from '../hosts/engineHost.ts';
import type { KernelHostCalls } from '../hosts/kernelHost.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { openJobKernel } from '../jobKernel.ts';
import type { Lab } from '../lab.ts';
import { monotonicMs } from '../monotonic.ts';
import { burst, wakeRequest } from '../rows/wake.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { parkedId, SILENT_PORTS, seedParked } from '../seedJobs.ts';
import type { Contender, ParkingMemory, Woken } from './contender.ts';
import {
  APART_MS,
  BURST,
  FIRST_BURSTS,
  FIRST_SINGLES,
  PARKED,
  SENDERS,
  SETTLE_MS,
  SINGLES,
} from './sizes.ts';

const WORKFLOWS = 2_000;

/** A home with parked jobs, made by a process of its own. */
async function seededHome(lab: Lab, jobs: number): Promise<string> {
  const home = lab.folder('wakes');
  writeHome(home);
  await using seeded = await openJobKernel(home, SILENT_PORTS);
  await seedParked(seeded.kernel, 0, jobs);
  return home;
}

/** The bundled runner, killed and started again, until a woken job has come to its next state. */
async function recover(lab: Lab, home: string): Promise<number> {
  const program = await lab.program();
  const killed = await RunnerUnderTest.start(program, home);
  await killed.end('SIGKILL');
  const start = monotonicMs();
  const runner = await RunnerUnderTest.start(program, home);
  try {
    const connection = await HttpConnection.open(runner.port);
    const id = parkedId(PARKED);
    const waitsFor = async (): Promise<string | undefined> =>
      JSON.parse(await connection.ask(requestBytes('GET', `/jobs/${id}`))).parked?.kind;
    await connection.ask(wakeRequest(id));
    // Its workflow's first phase has been prepared and committed then.
    while ((await waitsFor()) !== 'approval') await wait(1);
    const ms = monotonicMs() - start;
    connection.close();
    return ms;
  } finally {
    await runner.end('SIGKILL');
  }
}

async function stepRate(lab: Lab, carried: 'nothing' | '4 KB'): Promise<number> {
  await using host = await HostProcess.start<EngineHostCalls>(lab, 'engineHost');
  await host.call('kernelStepRate', WORKFLOWS, carried);
  return await host.call('kernelStepRate', WORKFLOWS, carried);
}

/** svc, measured as its own rows are: the kernel for steps, the whole runner for the rest. */
export const svc: Contender = {
  name: 'svc',

  steps: (lab) => stepRate(lab, 'nothing'),
  statedSteps: (lab) => stepRate(lab, '4 KB'),

  async wakes(lab): Promise<Woken> {
    const count = FIRST_SINGLES + SINGLES + (FIRST_BURSTS + 1) * BURST;
    const home = await seededHome(lab, count);
    const ids = Array.from({ length: count }, (_, n) => parkedId(n));
    await using host = await HostProcess.start<RunnerHostCalls>(lab, 'runnerHost', home, 'instant');
    const port = await host.call('port');
    const senders = await Promise.all(
      Array.from({ length: SENDERS }, () => HttpConnection.open(port)),
    );
    const [sender] = senders;
    if (!sender) throw new Error('there is no sender');
    for (let n = 0; n < FIRST_BURSTS; n++) await burst(host, senders, ids.splice(0, BURST));
    const singles: number[] = [];
    for (const [n, id] of ids.splice(0, FIRST_SINGLES + SINGLES).entries()) {
      const request = wakeRequest(id);
      const sentAt = monotonicMs();
      await sender.ask(request);
      for (const [, at] of await host.call('begun', 1))
        if (n >= FIRST_SINGLES) singles.push(at - sentAt);
      await wait(APART_MS);
    }
    const { ms } = await burst(host, senders, ids);
    for (const connection of senders) connection.close();
    return { singles, burst: ms };
  },

  async parked(lab): Promise<ParkingMemory> {
    const home = lab.folder('parked');
    writeHome(home);
    const host = await HostProcess.start<KernelHostCalls>(lab, 'kernelHost', home);
    await host.call('park', FIRST_SINGLES);
    await wait(SETTLE_MS);
    const before = await host.call('memory');
    await host.call('park', FIRST_SINGLES + PARKED);
    await wait(SETTLE_MS);
    const after = await host.call('memory');
    await host.call('close');
    await host[Symbol.asyncDispose]();
    return {
      worker: (after.rss - before.rss) / PARKED / 1024,
      server: null,
      recovery: await recover(lab, home),
    };
  },
};
