import { LocalCommand } from '../base/localCommand.ts';
import { EXIT_CODES } from '../exitCodes.ts';

const lines = EXIT_CODES.map(([code, meaning]) => `${String(code).padEnd(3)}  ${meaning}`).join(
  '\n',
);

export default class ExitCodesCommand extends LocalCommand {
  static override summary = 'Show the exit codes of svc.';
  static override description =
    `Exit codes are the same with and without --json. The meaning of a code never changes.\n\n${lines}`;

  async run(): Promise<{ code: number; meaning: string }[]> {
    await this.parse(ExitCodesCommand);
    this.print(`${lines}\n`);
    return EXIT_CODES.map(([code, meaning]) => ({ code, meaning }));
  }
}
