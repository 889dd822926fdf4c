import { Flags } from '@oclif/core';
import { LocalCommand } from '../../base/localCommand.ts';
import { resolveHomeFolder } from '../../../src/host/config/home/paths.ts';
import { listLogFiles } from '../../../src/base/system/log/rollingFile.ts';
import { followLog, readLastLines } from '../../service/logFiles.ts';
import { resolveServiceLog } from '../../service/buildServicePlan.ts';
import { formatServiceLogLine } from '../../render/runner/formatRunnerLogLine.ts';

interface Logs {
  files: string[];
  /** As they are in the files: JSON. */
  lines: string[];
}

export default class ServiceLogsCommand extends LocalCommand {
  static override summary = "Print the runner's own log, as written by the service.";
  static override description =
    'Reads logs/ in the home, even if the runner is stopped. For the log of a job, use svc logs.';
  static override examples = [
    '<%= config.bin %> service logs',
    '<%= config.bin %> service logs --tail 500',
    '<%= config.bin %> service logs --follow',
  ];
  static override flags = {
    cloud: Flags.boolean({ description: "The control plane's log instead of the runner's." }),
    tail: Flags.integer({
      description: 'Number of last lines to print.',
      default: 50,
      min: 0,
      max: 100_000,
      helpValue: '<n>',
    }),
    follow: Flags.boolean({
      char: 'f',
      description: 'Print new lines as they are written, until Ctrl-C.',
    }),
  };

  async run(): Promise<Logs> {
    const { flags } = await this.parse(ServiceLogsCommand);
    const home = resolveHomeFolder(this.io.env.SVC_HOME || null, this.io.homeDir);
    const file = resolveServiceLog(home, flags.cloud ? 'cloud' : 'runner');
    const files = listLogFiles(file);
    if (files.length === 0)
      this.note(
        `No log in ${home}/logs: svc ${flags.cloud ? 'cloud start' : 'start'} writes one as a service, or with --log-file.\n`,
      );
    const lines = await readLastLines(files, flags.tail);
    for (const line of lines) this.print(formatServiceLogLine(line));
    if (flags.follow && !this.jsonEnabled())
      await followLog(file, this.io, (line) => this.print(formatServiceLogLine(line)));
    return { files, lines };
  }
}
