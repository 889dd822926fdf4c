import { Command, Flags } from '@oclif/core';
import { LOG_LEVELS } from '../../src/base/settings/logLevels.ts';
import { processStreams, runStart } from '../local/start/start.ts';

/** For help only: `svc start` itself runs without oclif, which would cost a third of a second. */
export default class StartCommand extends Command {
  static override summary = 'Start the runner and its dashboard.';
  static override description =
    'Runs until Ctrl-C, which shuts it down cleanly: no job is lost. A second Ctrl-C ends it immediately.';
  static override examples = [
    '<%= config.bin %> start',
    '<%= config.bin %> start --port 0 --no-open',
  ];
  static override flags = {
    config: Flags.string({
      description: 'Configuration file to use instead of config.json in the home.',
      helpValue: '<path>',
    }),
    port: Flags.integer({
      description: 'Port to listen on; 0 takes any free one.',
      min: 0,
      max: 65_535,
      helpValue: '<port>',
    }),
    host: Flags.string({ description: 'Address to listen on.', helpValue: '<address>' }),
    'log-file': Flags.string({
      description:
        "Write the runner's log to files with this name and a number instead of standard error; rotated.",
      helpValue: '<path>',
    }),
    'log-level': Flags.option({
      options: [...LOG_LEVELS],
      description: 'What the log has; each level includes those before it.',
      helpValue: '<level>',
    })(),
    inspect: Flags.boolean({
      description: "Stream the state of the jobs to Stately's inspector, on this machine only.",
    }),
    'accept-loss': Flags.boolean({
      description:
        'Start with state.db as it is if files beside it are lost; the existing ones are kept under another name.',
    }),
    json: Flags.boolean({
      description: 'Once listening, print one line of JSON: url, pid, home, version.',
    }),
    open: Flags.boolean({
      description: 'Open a browser regardless of the environment; --no-open opens none.',
      allowNo: true,
    }),
  };

  async run(): Promise<void> {
    await this.parse(StartCommand);
    this.exit(await runStart(this.argv, process.env, processStreams()));
  }
}
