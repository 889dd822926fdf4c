import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { RunnerProcess } from '../runnerProcess.ts';
import { makeSampleRepository } from '../sampleRepository.ts';

/** How long a machine may take until the control plane has its runner, ms. */
const CONNECT_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** A machine of the team: a home with one repository, and its runner. */
export interface TeamMachine {
  name: string;
  repo: string;
  home: string;
  /** For temporary files: a runner that is killed leaves some. */
  temporary: string;
  runner: RunnerProcess;
}

/** `dir`: folder of the demo, with the folder `tenant` of its agents. Machines that name the same repository share it. */
export function makeTeamMachine(
  dir: string,
  bin: string,
  { name, repo }: { name: string; repo: string },
): TeamMachine {
  const home = join(dir, name);
  const temporary = join(dir, `${name}-tmp`);
  for (const folder of [home, temporary]) mkdirSync(folder, { mode: 0o700 });
  const shared = join(dir, `${repo}.git`);
  const repository = existsSync(shared) ? shared : makeSampleRepository(dir, repo);
  const config = {
    cloud: { name },
    tenant: { displayName: 'Demo', overlay: { kind: 'localDir', path: join(dir, 'tenant') } },
    forges: { local: { repos: { [repo]: repository } } },
  };
  writeFileSync(join(home, 'config.json'), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return { name, repo, home, temporary, runner: new RunnerProcess(home, bin, 0, true) };
}

/** Starts its runner, and waits until that is connected. */
export async function connectMachine({ name, temporary, runner }: TeamMachine): Promise<void> {
  await runner.start({ TMPDIR: temporary });
  const deadline = Date.now() + CONNECT_MS;
  for (;;) {
    const { cloud } = await (await fetch(`${runner.url}/health`)).json();
    if (cloud?.connection === 'connected') return;
    if (Date.now() > deadline)
      throw new Error(`the runner of ${name} is not connected: ${cloud?.problem ?? 'no answer'}`);
    await wait(LOOK_EVERY_MS);
  }
}
