import { writeHome } from './home.ts';
import { HostProcess } from './hostProcess.ts';
import type { KernelHostCalls } from './hosts/kernelHost.ts';
import type { Lab } from './lab.ts';
import type { Memory } from './memory.ts';

export const SOME_JOBS = 10_000;
export const MANY_JOBS = 100_000;

/** Homes full of parked jobs, and the memory of the process that parked them. */
export interface ParkedHomes {
  some: string;
  many: string;
  memory: { empty: Memory; some: Memory; many: Memory };
}

async function fill(lab: Lab, home: string, counts: readonly number[]): Promise<Memory[]> {
  writeHome(home);
  await using host = await HostProcess.start<KernelHostCalls>(lab, 'kernelHost', home);
  const memory = [await host.call('memory')];
  for (const count of counts) {
    await host.call('park', count);
    memory.push(await host.call('memory'));
  }
  await host.call('close');
  return memory;
}

const homesByLab = new WeakMap<Lab, Promise<ParkedHomes>>();

async function make(lab: Lab): Promise<ParkedHomes> {
  const some = lab.folder('10k');
  const many = lab.folder('100k');
  await fill(lab, some, [SOME_JOBS]);
  const [atEmpty, atSome, atMany] = await fill(lab, many, [SOME_JOBS, MANY_JOBS]);
  if (!atEmpty || !atSome || !atMany) throw new Error('the memory was not measured');
  return { some, many, memory: { empty: atEmpty, some: atSome, many: atMany } };
}

/** Two rows use them; they are made once. */
export function parkedHomes(lab: Lab): Promise<ParkedHomes> {
  const homes = homesByLab.get(lab) ?? make(lab);
  homesByLab.set(lab, homes);
  return homes;
}
