import { processChannel } from '../../src/handover/channel.ts';
import { STATE_WAIT_MS } from '../../src/handover/keeper.ts';
import { SuccessorSide } from '../../src/handover/successor.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { failureOf } from '../failure.ts';
import { ownRunner } from './ownRunner.ts';
import { ownProgram, prepareRunner, type StartParts } from './preparedRunner.ts';

/**
 * Takes over from the runner whose keeper has started this process. Resolves with the exit code:
 * 0 where it was asked to stop, or its keeper is gone.
 */
export async function succeedRunner(parts: StartParts): Promise<number> {
  if (process.send === undefined)
    throw new SvcError('bad-argument', '--successor is for svc itself. Use svc restart.');
  const side = new SuccessorSide(processChannel(process));
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
    const facts = { program: ownProgram(), storeVersion };
    const runner = ownRunner(opened, facts, parts.streams.err);
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
      failureOf(error)
        .text.trim()
        .replace(/^Error: /, ''),
    );
    throw error;
  }
}
