/**
 * npm run test:package [-- --node 22] [-- --demo] [-- --keep]
 *
 * The package as a person has it: packed in a clean clone, installed into a clean prefix, started as the
 * container recipe and as a service do, a job run from it with a clean home folder, backed up, restored
 * elsewhere, upgraded in the middle of the job, and removed. A line for each step; the first that fails
 * ends it.
 * Last line: N passed, N failed.
 *
 * --node  a version of Node to run it with, fetched from the npm registry; default: this one
 * --demo  plays svc demo as well
 * --keep  keeps the folder of it all, and prints it
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchNode } from '../fetchNode.ts';
import { backUp, lookElsewhere, purge, restore } from './backup.ts';
import { container } from './container.ts';
import { firstCommands, imports, printsNoWarning } from './firstLook.ts';
import { checkFiles, install } from './installed.ts';
import { approve, jobToCheckpoint, jobToEnd, setUp } from './job.ts';
import { uninstall } from './leftovers.ts';
import { Machine } from './machine.ts';
import { InstalledRunner } from './runner.ts';
import { ServiceStub } from './service.ts';
import { packClone } from './tarball.ts';
import { upgrade } from './upgrade.ts';

const { values } = parseArgs({
  options: { node: { type: 'string' }, demo: { type: 'boolean' }, keep: { type: 'boolean' } },
});
process.chdir(resolve(import.meta.dirname, '../..'));

const NEXT = '99.0.0';

const machine = new Machine(
  values.node === undefined ? null : fetchNode(Number(values.node)).folder,
);
const runner = new InstalledRunner(machine);
const service = new ServiceStub(machine);
/** Elsewhere the runner is a process of its own. */
const hasSystemd = process.platform === 'linux';
const count = { passed: 0, failed: 0 };

/** Prints the outcome of a step: its answer is the fact that it saw. */
async function step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const print = (mark: string, fact: string) =>
    console.log(
      `${mark.padEnd(4)} ${name.padEnd(10)} ${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${fact}`,
    );
  try {
    const fact = await run();
    print('ok', typeof fact === 'string' ? fact : '');
    count.passed += 1;
    return fact;
  } catch (error) {
    print('FAIL', error instanceof Error ? error.message : String(error));
    count.failed += 1;
    throw error;
  }
}

async function play(): Promise<void> {
  const { first, next } = await step('pack', () => packClone(machine.root));
  await step('files', () => checkFiles(first));
  await step('install', () => install(machine, first));
  await step('commands', () => firstCommands(machine, first.version));
  await step('imports', () => imports(machine));
  if (values.demo)
    await step('demo', async () => {
      const { status, ms } = JSON.parse(await machine.svc(['demo', '--json']));
      return `${status} in ${(ms / 1000).toFixed(1)} s`;
    });
  await step('container', () => container(machine, first.version));
  await step('set up', () => setUp(machine));
  if (hasSystemd) await step('service', () => service.install());
  else await step('start', () => runner.start());
  const jobId = await step('job', () => jobToCheckpoint(machine));
  await step('backup', () => backUp(machine));
  const saved = await runner.client.job(jobId);
  await step('restore', () => restore(machine));
  const second = await step('pack next', () => next(NEXT));
  await step('install', () => install(machine, second));
  await step('quiet', () => printsNoWarning(machine));
  await step('approve', () => approve(machine, jobId));
  await step('upgrade', () => upgrade(machine, runner, NEXT));
  await step('finish', () => jobToEnd(runner, jobId));
  if (hasSystemd) {
    await service.set('stop');
    await step('elsewhere', () => lookElsewhere(machine, saved));
    await step('purge', () => purge(machine, jobId));
    await service.set('start');
    await runner.answers();
  }
  await step('uninstall', () => uninstall(machine));
  if (hasSystemd) await step('stopped', () => service.checkEnded());
}

try {
  await play();
} catch {
  // Its step has said why.
} finally {
  service.end();
  await runner.stop().catch(() => undefined);
  if (values.keep) console.log(`kept: ${machine.root}`);
  else machine.remove();
}
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;
