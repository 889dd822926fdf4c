import { Command, Flags } from '@oclif/core';
import { processStreams, runStart } from '../start.ts';

/**
 * For `svc help start` and the list of commands: `svc start` itself runs without oclif, which would
 * cost a third of a second.
 */
export default class StartCommand extends Command {
  static override summary = 'Start the runner and its dashboard.';
  static override description =
    'Runs until Ctrl-C, which stops it in order: no job is lost. A second Ctrl-C ends it at once.';
  static override examples = [
    '<%= config.bin %> start',
    '<%= config.bin %> start --port 0 --no-open',
  ];
  static override flags = {
    config: Flags.string({
      description: 'Configuration file instead of config.json in the home.',
      helpValue: '<path>',
    }),
    port: Flags.integer({
      description: 'Port to listen on; 0 takes any free one.',
      min: 0,
      max: 65_535,
      helpValue: '<port>',
    }),
    host: Flags.string({ description: 'Address to listen on.', helpValue: '<address>' }),
    inspect: Flags.boolean({
      description: "Serve what jobs do to Stately's inspector, on this machine alone.",
    }),
    json: Flags.boolean({
      description: 'Print one line of JSON once it listens: url, pid, home, version.',
    }),
    open: Flags.boolean({
      description: 'Open a browser whatever the environment says; --no-open opens none.',
      allowNo: true,
    }),
  };

  async run(): Promise<void> {
    await this.parse(StartCommand);
    this.exit(await runStart(this.argv, process.env, processStreams()));
  }
}
