import { processChannel } from '../../../src/host/upgrade/channel.ts';
import { STATE_WAIT_MS } from '../../../src/host/upgrade/upgradeSupervisor.ts';
import { UpgradedRunner } from '../../../src/host/upgrade/upgradedRunner.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { toFailure } from '../../failure.ts';
import { createRunningRunner } from './createRunningRunner.ts';
import { readOwnProgram, prepareRunner, type StartParts } from './prepareRunner.ts';

/**
 * Takes over from the runner whose supervisor has started this process. Resolves with the exit code:
 * 0 where it was asked to stop, or its supervisor is gone.
 */
export async function runAsUpgrade(parts: StartParts): Promise<number> {
  if (process.send === undefined)
    throw new SvcError('bad-argument', '--successor is for svc itself. Use svc restart.');
  const side = new UpgradedRunner(processChannel(process));
  try {
    const prepared = await prepareRunner(parts);
    const { settings, storeVersion } = prepared;
    const before = side.ready({ version: settings.version, storeVersion });
    const port = await Promise.race([before, side.released]);
    if (port === undefined) return 0;
    let stop = (): void => {};
    const opened = await prepared.open({
      process: { stop: () => stop(), restart: (root) => side.restart(root) },
      port,
      confirmed: side.confirmed,
      stateWait: { ms: STATE_WAIT_MS, report: (reason) => side.waiting(reason) },
    });
    const facts = { program: readOwnProgram(), storeVersion };
    const runner = createRunningRunner(opened, facts, parts.streams.err);
    stop = () => runner.signal('SIGTERM');
    const takeBack = parts.streams.onStop((signal) => runner.signal(signal));
    void side.released.then(() => stop());
    side.serving(opened.url);
    try {
      return await runner.ended;
    } finally {
      takeBack();
    }
  } catch (error) {
    side.failed(
      toFailure(error)
        .text.trim()
        .replace(/^Error: /, ''),
    );
    throw error;
  }
}
