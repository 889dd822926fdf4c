import { Args } from '@oclif/core';
import { LocalCommand } from '../base/localCommand.ts';
import { selectCompletionScript, SHELLS } from '../completion/completionScripts.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

export default class CompletionCommand extends LocalCommand {
  static override summary = 'Print the script that completes svc in your shell. Needs no runner.';
  static override description =
    'Completes commands and flags, including commands of installed packages; with a running runner also jobs, repositories, phases, workflows and statuses. bash: add the first example to ~/.bashrc. zsh: add the second to ~/.zshrc, after compinit. fish: run the third once.';
  static override examples = [
    'source <(<%= config.bin %> completion bash)',
    'source <(<%= config.bin %> completion zsh)',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/svc.fish',
  ];
  static override args = {
    shell: Args.string({ description: 'bash, zsh or fish.', options: [...SHELLS], required: true }),
  };

  async run(): Promise<{ shell: string; script: string }> {
    const { args } = await this.parse(CompletionCommand);
    const shell = SHELLS.find((one) => one === args.shell);
    if (shell === undefined)
      throw new SvcError('bad-argument', `${args.shell} is not one of ${SHELLS.join(', ')}.`);
    const script = selectCompletionScript(shell);
    this.print(script);
    return { shell, script };
  }
}
