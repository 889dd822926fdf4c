import { RunnerCommand } from '../base/runnerCommand.ts';
import { type TakenOver, takeOver } from '../connect/takeOver.ts';
import { takenOverText } from '../render/takenOverText.ts';

export default class RestartCommand extends RunnerCommand {
  static override summary = 'Restart the runner of this home while jobs run.';
  static override description =
    'Sessions are interrupted and continue after it; nothing counts as an attempt. The configuration is read again first: with a mistake in it, the runner continues as it is. The program stays the one that the runner was started from: svc upgrade takes this one.';
  static override examples = ['<%= config.bin %> restart'];

  async run(): Promise<TakenOver> {
    await this.parse(RestartCommand);
    const { home, client } = await this.runnerHere();
    const done = await takeOver({ home, client, note: (text) => this.note(text) }, null);
    this.print(takenOverText(done));
    return done;
  }
}
