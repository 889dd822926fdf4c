import { answerCalls } from '../hostProcess.ts';
import { openJobKernel } from '../jobKernel.ts';
import { residentMemory } from '../memory.ts';
import { SILENT_PORTS, seedParked, seedRich } from '../seedJobs.ts';

const home = process.argv[2] ?? '';
const opened = await openJobKernel(home, SILENT_PORTS);
let parked = 0;

/** A process with nothing but the kernel on the state of a home, which can be filled with jobs. */
const calls = {
  async park(count: number): Promise<void> {
    await seedParked(opened.kernel, parked, count);
    parked = count;
  },
  rich: (count: number): Promise<string[]> => seedRich(opened.kernel, count),
  memory: residentMemory,
  close: (): Promise<void> => Promise.resolve(opened[Symbol.asyncDispose]()),
};

export type KernelHostCalls = typeof calls;

answerCalls(calls);
