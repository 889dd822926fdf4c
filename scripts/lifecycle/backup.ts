import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { Machine } from './machine.ts';
import { InstalledRunner } from './runner.ts';

export const BACKUP = 'svc.tar.gz';

/** `svc backup` while the runner works and a job waits. */
export async function backUp(machine: Machine): Promise<string> {
  const { bytes, header } = JSON.parse(
    await machine.svc(['backup', join(machine.home, BACKUP), '--json']),
  );
  return `${(bytes / 1024).toFixed(0)} KiB, ${header.jobs} job`;
}

const elsewhere = (machine: Machine): string => join(machine.root, 'elsewhere');

/** Restored elsewhere; no runner starts there while that of the original runs. */
export async function restore(machine: Machine): Promise<string> {
  const home = elsewhere(machine);
  await machine.svc(['restore', join(machine.home, BACKUP), '--home', home]);
  const started = new InstalledRunner(machine, home).start();
  const refused = await started.then(
    () => 'it started',
    (error: Error) => error.message,
  );
  if (!refused.includes('two runners would continue the same jobs')) throw new Error(refused);
  return 'it does not start while the original runs';
}

/**
 * The restored home with the program of now, while the original is stopped: the job is as `saved`
 * has it, from when the backup was made.
 */
export async function lookElsewhere(machine: Machine, saved: Job): Promise<string> {
  const home = elsewhere(machine);
  const runner = new InstalledRunner(machine, home);
  await runner.start();
  try {
    const there = await runner.client.job(saved.id);
    for (const part of ['status', 'phase', 'visit', 'description', 'parked'] as const)
      if (JSON.stringify(there[part]) !== JSON.stringify(saved[part]))
        throw new Error(`${part} of the restored job is ${JSON.stringify(there[part])}`);
    const checkout = String(there.params['repoCheckoutAbsDir']);
    if (!checkout.startsWith(home) || !existsSync(checkout))
      throw new Error(`the checkout of the restored job is ${checkout}`);
    return `the job ${there.status} there too, with its checkout`;
  } finally {
    await runner.stop();
  }
}

/**
 * `svc uninstall --purge` of the restored home: refused while its job would be lost, then it goes. The
 * program stays, because the service of the other home needs it.
 */
export async function purge(machine: Machine, jobId: string): Promise<string> {
  const home = elsewhere(machine);
  const args = ['uninstall', '--purge', '--yes', '--json'];
  const env = { SVC_HOME: home };
  const refused = JSON.parse(await machine.svc(args, 1, env));
  const { atStake } = JSON.parse(await machine.svc([...args, '--dry-run'], 0, env));
  const kinds = atStake.map(
    ({ kind, jobId: id }: { kind: string; jobId: string }) => `${kind} ${id}`,
  );
  if (!kinds.includes(`job ${jobId}`))
    throw new Error(`it does not name the job: ${kinds.join(', ')}`);
  if (!existsSync(join(home, 'state.db'))) throw new Error('it removed a home with work in it');
  const reply = JSON.parse(await machine.svc([...args, '--discard-work'], 0, env));
  if (existsSync(home)) throw new Error('the home still exists');
  if (!existsSync(machine.program)) throw new Error('the program is gone, and a service needs it');
  return `refused (${refused.error.code}), then ${reply.homeIs} with ${atStake.length} thing(s) that were nowhere else`;
}
