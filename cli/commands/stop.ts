import { RunnerCommand } from '../base/runnerCommand.ts';
import { findHolder } from '../local/start/findHolder.ts';
import { stopRunnerProcess, untilKilled } from '../remote/stopRunnerProcess.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

interface StopReply {
  /** false = none ran. */
  stopped: boolean;
  /** null = none ran. */
  pid: number | null;
}

const STOPPED = 'The runner has stopped. No job is lost: the next svc start continues them.\n';

export default class StopCommand extends RunnerCommand {
  static override summary = 'Stop the runner of this home and wait until it has exited.';
  static override description =
    'Sessions are interrupted; no job is lost, and the next svc start continues them. A service manager does not restart it before the next boot. For one job: svc pause, svc cancel.';
  static override examples = ['<%= config.bin %> stop'];

  async run(): Promise<StopReply> {
    await this.parse(this.ctor);
    const runner = await this.runnerOrNull();
    if (runner === null) {
      const silent = await findHolder(this.home(), this.io.now());
      if (silent !== null) {
        this.note(`Stopping the runner (process ${silent}), which does not answer yet.\n`);
        await untilKilled(silent);
        this.print(STOPPED);
        return { stopped: true, pid: silent };
      }
      this.print('No runner is running for this home.\n');
      return { stopped: false, pid: null };
    }
    const { url, pid } = runner;
    this.note(`Stopping the runner at ${toPrintableLine(url)} (process ${pid}).\n`);
    await stopRunnerProcess(runner);
    this.print(STOPPED);
    return { stopped: true, pid };
  }
}
