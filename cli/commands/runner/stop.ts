import { LocalCommand } from '../../base/localCommand.ts';
import { runnerOfHome } from '../../connect/runnerOfHome.ts';
import { printableLine } from '../../render/printable.ts';

interface StopReply {
  running: boolean;
  /** null = none runs. */
  pid: number | null;
  /** What ends it; null = none runs. */
  command: string | null;
}

export default class RunnerStopCommand extends LocalCommand {
  static override summary = 'Say how the runner of this home is stopped. It stops nothing itself.';
  static override description =
    'A runner belongs to the terminal or the service that started it, which would start it again.';
  static override examples = ['<%= config.bin %> runner stop'];

  async run(): Promise<StopReply> {
    await this.parse(RunnerStopCommand);
    const runner = await runnerOfHome(this.io, this.config.version);
    if (runner === null) {
      this.print('No runner is running for this home.\n');
      return { running: false, pid: null, command: null };
    }
    const { url, pid } = runner;
    const command = `kill ${pid}`;
    this.print(
      `The runner at ${printableLine(url)} runs until you end it: press Ctrl-C in its terminal, stop the service that started it, or run:\n  ${command}\nNo job is lost: the next svc start continues them.\n`,
    );
    return { running: true, pid, command };
  }
}
