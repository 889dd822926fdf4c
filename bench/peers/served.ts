import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HostProcess } from '../hostProcess.ts';
import type { Lab } from '../lab.ts';
import { monotonicMs } from '../monotonic.ts';
import type { Contender, ParkingMemory, Woken } from './contender.ts';
import { type DriverArgs, parkedName, type SenderCalls, type WorkerCalls } from './driver.ts';
import { packagesFolder } from './install.ts';
import type { PeerServer } from './servers/peerServer.ts';
import type { ServerProcess } from './servers/serverProcess.ts';
import {
  APART_MS,
  BURST,
  FIRST_BURSTS,
  FIRST_SINGLES,
  PARKED,
  SENDERS,
  SETTLE_MS,
  SINGLES,
  STEPS,
} from './sizes.ts';

/** What differs between peers that have a server, a worker and a sender. */
export interface ServedPeer {
  name: string;
  /** Workflows of a round of steps: about one to three seconds of work. */
  workflows: number;
  server(lab: Lab): Promise<PeerServer>;
  /** Called when worker and server run for the first time. */
  introduce?(ports: Readonly<Record<string, number>>): Promise<void>;
  carriesState?: boolean;
  /** From the last parking until the memory is read, ms; default: {@link SETTLE_MS}. */
  parkedMs?: number;
}

class Running implements AsyncDisposable {
  readonly #peer: ServedPeer;
  readonly #place: PeerServer;
  readonly #programs: string;
  readonly #args: string;
  readonly #sender: HostProcess<SenderCalls>;
  readonly #addresses = new Map<string, string>();
  server: ServerProcess;
  worker: HostProcess<WorkerCalls>;

  private constructor(
    peer: ServedPeer,
    place: PeerServer,
    [programs, args]: [programs: string, args: string],
    [server, worker, sender]: [ServerProcess, HostProcess<WorkerCalls>, HostProcess<SenderCalls>],
  ) {
    this.#peer = peer;
    this.#place = place;
    this.#programs = programs;
    this.#args = args;
    this.server = server;
    this.worker = worker;
    this.#sender = sender;
  }

  static async start(peer: ServedPeer, lab: Lab, parksLong = false): Promise<Running> {
    const programs = await findPrograms(peer.name, lab);
    const place = await peer.server(lab);
    const packages = packagesFolder(peer.name);
    const args = JSON.stringify({ packages, ports: place.ports, parksLong } satisfies DriverArgs);
    const server = await place.start();
    const worker = await HostProcess.run<WorkerCalls>(join(programs, 'worker.js'), args);
    await peer.introduce?.(place.ports);
    const sender = await HostProcess.run<SenderCalls>(join(programs, 'sender.js'), args);
    await sender.call('connect');
    return new Running(peer, place, [programs, args], [server, worker, sender]);
  }

  /** Parks those with the numbers `from` up to but not `to`. */
  async park(from: number, to: number): Promise<void> {
    const addresses = await this.worker.call('park', from, to);
    for (const [n, address] of addresses.entries())
      this.#addresses.set(parkedName(from + n), address);
  }

  /** From the first event until the last continuation began, ms. */
  async wake(ids: readonly string[], senders: number): Promise<number> {
    const start = await this.#sender.call('wake', this.#listAddresses(ids), senders);
    return (await this.#begun(ids)) - start;
  }

  /** Kills worker and server, starts them again and wakes one; ms from the start on. */
  async recover(id: string): Promise<number> {
    await Promise.all([this.worker.kill(), this.server.kill(), this.#sender.kill()]);
    // Starting the sender is not part of the recovery.
    const sender = await HostProcess.run<SenderCalls>(
      join(this.#programs, 'sender.js'),
      this.#args,
    );
    const start = monotonicMs();
    this.server = await this.#place.start();
    const [worker] = await Promise.all([
      HostProcess.run<WorkerCalls>(join(this.#programs, 'worker.js'), this.#args),
      sender.call('connect'),
    ]);
    this.worker = worker;
    await sender.call('wake', this.#listAddresses([id]), 1);
    const ms = (await this.#begun([id])) - start;
    await sender.kill();
    return ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.worker.kill(), this.#sender.kill()]);
    await this.server.kill();
  }

  #listAddresses(ids: readonly string[]): string[] {
    return ids.map((id) => this.#addresses.get(id) ?? id);
  }

  /** When the last of them began; throws if any other one began. */
  async #begun(ids: readonly string[]): Promise<number> {
    const beginnings = await this.worker.call('begun', ids.length);
    const known = new Set(beginnings.map(([id]) => id));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0)
      throw new Error(`${this.#peer.name}: ${missing.length} of ${ids.length} were not woken`);
    return Math.max(...beginnings.map(([, at]) => at));
  }
}

const built = new WeakMap<Lab, Map<string, Promise<string>>>();

function findPrograms(name: string, lab: Lab): Promise<string> {
  const ofLab = built.get(lab) ?? new Map<string, Promise<string>>();
  built.set(lab, ofLab);
  const programs = ofLab.get(name) ?? lab.peer(name);
  ofLab.set(name, programs);
  return programs;
}

async function stepRate(peer: ServedPeer, lab: Lab, stated: boolean): Promise<number> {
  await using running = await Running.start(peer, lab);
  // The first round pays for loading and compiling.
  await running.worker.call('steps', peer.workflows, stated);
  const ms = await running.worker.call('steps', peer.workflows, stated);
  return (peer.workflows * STEPS * 1_000) / ms;
}

export const createContender = (peer: ServedPeer): Contender => ({
  name: peer.name,

  steps: (lab) => stepRate(peer, lab, false),
  ...(peer.carriesState && { statedSteps: (lab: Lab) => stepRate(peer, lab, true) }),

  async wakes(lab): Promise<Woken> {
    await using running = await Running.start(peer, lab);
    let parked = 0;
    const park = async (count: number): Promise<string[]> => {
      const from = parked;
      parked += count;
      await running.park(from, parked);
      return Array.from({ length: count }, (_, n) => parkedName(from + n));
    };
    const burst = async (): Promise<number> => {
      const ids = await park(BURST);
      await wait(SETTLE_MS);
      const ms = await running.wake(ids, SENDERS);
      await wait(SETTLE_MS);
      return ms;
    };
    for (let n = 0; n < FIRST_BURSTS; n++) await burst();
    const singles: number[] = [];
    for (const [n, id] of (await park(FIRST_SINGLES + SINGLES)).entries()) {
      const ms = await running.wake([id], 1);
      if (n >= FIRST_SINGLES) singles.push(ms);
      await wait(APART_MS);
    }
    return { singles, burst: await burst() };
  },

  async parked(lab): Promise<ParkingMemory> {
    await using running = await Running.start(peer, lab, true);
    // Loading that the first of them causes is not part of what the others take.
    await running.park(0, FIRST_SINGLES);
    await wait(peer.parkedMs ?? SETTLE_MS);
    const before = [(await running.worker.call('memory')).rss, running.server.memory()] as const;
    await running.park(FIRST_SINGLES, FIRST_SINGLES + PARKED);
    await wait(peer.parkedMs ?? SETTLE_MS);
    const after = [(await running.worker.call('memory')).rss, running.server.memory()] as const;
    const recovery = await running.recover(parkedName(PARKED));
    return {
      worker: (after[0] - before[0]) / PARKED / 1024,
      server: (after[1] - before[1]) / PARKED / 1024,
      recovery,
    };
  },
});
