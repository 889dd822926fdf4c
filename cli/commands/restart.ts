import { RunnerCommand } from '../base/runnerCommand.ts';
import { type TakenOver, takeOver } from '../connect/takeOver.ts';
import { takenOverText } from '../render/takenOverText.ts';

export default class RestartCommand extends RunnerCommand {
  static override summary = 'Restart the runner of this home while jobs run.';
  static override description =
    'Sessions are interrupted and then continue; the interruption does not count as an attempt. The configuration is checked first: if it has an error, the runner is not restarted. The runner keeps running the same program; svc upgrade switches to this one.';
  static override examples = ['<%= config.bin %> restart'];

  async run(): Promise<TakenOver> {
    await this.parse(RestartCommand);
    const { home, client } = await this.runnerHere();
    const done = await takeOver({ home, client, note: (text) => this.note(text) }, null);
    this.print(takenOverText(done));
    return done;
  }
}
