import { processChannel } from '../../../src/host/upgrade/channel.ts';
import { STATE_WAIT_MS } from '../../../src/host/upgrade/upgradeSupervisor.ts';
import { UpgradedRunner } from '../../../src/host/upgrade/upgradedRunner.ts';
import type { AdoptedProcess } from '../../../src/host/start/startOptions.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { toFailure } from '../../failure.ts';
import { createRunningRunner } from './createRunningRunner.ts';
import { readOwnProgram, prepareRunner, type StartParts } from './prepareRunner.ts';

/** What the process of an adopted home tells the runner that has started it; it stops when its jobs have ended. */
const followSide = (side: UpgradedRunner, stop: () => void): AdoptedProcess => ({
  onJobs: (jobs) => side.jobs(jobs),
  onOver() {
    side.reportOver();
    stop();
  },
});

/**
 * Takes over from the runner whose supervisor has started this process. Resolves with the exit code:
 * 0 where it was asked to stop, or its supervisor is gone.
 */
export async function runAsUpgrade(parts: StartParts): Promise<number> {
  if (process.send === undefined)
    throw new SvcError('bad-argument', '--successor is for svc itself. Use svc restart.');
  const side = new UpgradedRunner(processChannel(process));
  try {
    const preparedRunner = await prepareRunner(parts);
    const { settings, storeVersion } = preparedRunner;
    const before = side.reportReady({ version: settings.version, storeVersion });
    const release = side.released.then(() => null);
    const port = await Promise.race([before, release]);
    if (port === null) return 0;
    let stop = (_handOver: boolean): void => {};
    let end = (_exitCode: number): void => {};
    const openedRunner = await preparedRunner.open({
      process: {
        stop: (handOver = false) => stop(handOver),
        end: (exitCode) => end(exitCode),
        restart: (root) => side.restart(root),
      },
      port,
      confirmed: side.confirmed,
      ...(parts.flags.adopted === undefined ? {} : { adopted: followSide(side, () => stop(true)) }),
      stateWait: { ms: STATE_WAIT_MS, report: (reason) => side.reportWaiting(reason) },
    });
    const facts = { program: readOwnProgram(), storeVersion };
    const runner = createRunningRunner(openedRunner, facts, parts.streams.err);
    // Not SIGTERM, with which a machine of the pool gives its jobs away.
    stop = (handOver) => (handOver ? runner.stopHandingOver() : runner.signal('SIGINT'));
    end = runner.end;
    const takeBack = parts.streams.onStop((signal) => runner.signal(signal));
    void side.released.then(({ handOver }) => stop(handOver));
    side.reportServing(openedRunner.url);
    try {
      return await runner.ended;
    } finally {
      takeBack();
    }
  } catch (error) {
    side.reportFailed(
      toFailure(error)
        .text.trim()
        .replace(/^Error: /, ''),
    );
    throw error;
  }
}
