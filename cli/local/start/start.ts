import type { Env } from '../../../src/host/config/home/env.ts';
import { loadRunner, type RunnerModule } from './runnerModule.ts';
import { checkTemporaryFolder } from '../../../src/base/system/files/temporaryFolder.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { toFailure } from '../../failure.ts';
import { START_HELP, parseStartFlags } from '../../input/parseStartFlags.ts';
import { superviseRunner } from './superviseRunner.ts';
import type { StartStreams } from './startStreams.ts';
import { runAsUpgrade } from './runAsUpgrade.ts';

export { processStreams } from './startStreams.ts';

async function serveUntilEnd(
  argv: readonly string[],
  env: Env,
  streams: StartStreams,
  loadMain: () => Promise<RunnerModule>,
): Promise<number> {
  const flags = parseStartFlags(argv);
  if (flags.help) {
    streams.out(START_HELP);
    return 0;
  }
  checkTemporaryFolder();
  const parts = { flags, env, streams, loadMain };
  if (flags.adopted !== undefined && !flags.isUpgrade)
    throw new SvcError(
      'bad-argument',
      '--adopted is for svc itself: runners take over homes of lost ones.',
    );
  return flags.isUpgrade ? runAsUpgrade(parts) : superviseRunner(parts, flags.passedOn);
}

/**
 * `svc start`: runs until a signal and resolves with the exit code; prints errors on `err`, never
 * throws. `argv`: what follows `start`. `loadMain` loads the runner's module; default: the built
 * one, or the source when run from it.
 */
export async function runStart(
  argv: readonly string[],
  env: Env,
  streams: StartStreams,
  loadMain = loadRunner,
): Promise<number> {
  try {
    return await serveUntilEnd(argv, env, streams, loadMain);
  } catch (error) {
    const failure = toFailure(error);
    if (argv.includes('--json')) streams.out(`${JSON.stringify({ error: failure.problem })}\n`);
    else streams.err(failure.text);
    return failure.exitCode;
  }
}
