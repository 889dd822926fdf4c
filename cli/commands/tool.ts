import { Command } from '@oclif/core';
import { runTool } from '../tool.ts';

/** For help only: `svc tool` itself runs without oclif, because agents call it often. */
export default class ToolCommand extends Command {
  static override summary =
    'Call a tool of the running phase. For programs that run as agents of a job.';
  static override description =
    'Works only in a session, where the runner has set SVC_SESSION_DIR. See svc tool --help for its arguments.';
  static override examples = [
    `<%= config.bin %> tool goto_phase '{"phase":"coding"}'`,
    '<%= config.bin %> tool --list',
  ];
  static override strict = false;

  async run(): Promise<void> {
    await this.parse(ToolCommand);
    this.exit(await runTool(this.argv, process.env, process));
  }
}
