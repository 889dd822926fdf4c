import { RunnerCommand } from '../../base/runnerCommand.ts';
import { stopRunnerProcess } from '../../remote/stopRunnerProcess.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

interface ReleaseReply {
  released: true;
  pid: number;
}

const RELEASED =
  'The runner has stopped and given its jobs up: another runner of the team continues them. svc start takes them back when that one has none of them left.\n';

export default class RunnerReleaseCommand extends RunnerCommand {
  static override summary =
    'Stop the runner of this home and let another runner of its team continue its jobs at once.';
  static override description =
    'Sessions are interrupted, the control plane gets the last changes and a copy of the state, and the home is given up. Work that was not pushed stays on this machine.';
  static override examples = ['<%= config.bin %> runner release'];

  async run(): Promise<ReleaseReply> {
    await this.parse(RunnerReleaseCommand);
    const runner = await this.runnerHere();
    const { url, pid } = runner;
    this.note(`Releasing the jobs of the runner at ${toPrintableLine(url)} (process ${pid}).\n`);
    await stopRunnerProcess(runner, true);
    this.print(RELEASED);
    return { released: true, pid };
  }
}
