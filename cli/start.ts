import type { Env } from '../src/config/env.ts';
import { loadRunner, type RunnerModule } from './connect/runnerModule.ts';
import { checkTemporaryFolder } from '../src/lib/temporaryFolder.ts';
import { failureOf } from './failure.ts';
import { START_HELP, startFlags } from './input/startFlags.ts';
import { keepRunner } from './running/keptRunner.ts';
import type { StartStreams } from './running/startStreams.ts';
import { succeedRunner } from './running/successorRunner.ts';

export { processStreams } from './running/startStreams.ts';

async function serve(
  argv: readonly string[],
  env: Env,
  streams: StartStreams,
  loadMain: () => Promise<RunnerModule>,
): Promise<number> {
  const flags = startFlags(argv);
  if (flags.help) {
    streams.out(START_HELP);
    return 0;
  }
  checkTemporaryFolder();
  const parts = { flags, env, streams, loadMain };
  return flags.successor ? succeedRunner(parts) : keepRunner(parts, flags.passedOn);
}

/**
 * `svc start`: runs until a signal and resolves with the exit code; errors are printed on `err`,
 * never thrown. `argv` holds what follows `start`. `loadMain` gives the runner's module; default:
 * the built one, or the source when run from it.
 */
export async function runStart(
  argv: readonly string[],
  env: Env,
  streams: StartStreams,
  loadMain = loadRunner,
): Promise<number> {
  try {
    return await serve(argv, env, streams, loadMain);
  } catch (error) {
    const failure = failureOf(error);
    if (argv.includes('--json')) streams.out(`${JSON.stringify({ error: failure.problem })}\n`);
    else streams.err(failure.text);
    return failure.exitCode;
  }
}
