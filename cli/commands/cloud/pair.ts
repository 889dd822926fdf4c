import { Flags } from '@oclif/core';
import type { PairingCode } from '../../../src/contract/schema/cloud/teamRunner.ts';
import { RunnerCommand } from '../../base/runnerCommand.ts';
import { createJsonInit } from '../../cloud/cloudRequest.ts';
import { openCloudSession } from '../../cloud/cloudSession.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class CloudPairCommand extends RunnerCommand {
  static override summary = 'Create a code that pairs another machine with the team.';
  static override description =
    'Prints the command to run on that machine. It works once, within ten minutes, and needs no browser there. Without --pool the machine is yours and runs your jobs; a runner of the pool belongs to no one, runs the jobs of everyone in the team, and needs an admin.';
  static override examples = [
    '<%= config.bin %> cloud pair',
    '<%= config.bin %> cloud pair --pool --labels linux,gpu',
  ];
  static override flags = {
    pool: Flags.boolean({
      description: 'Pair a runner of the pool, which runs the jobs of everyone in the team.',
    }),
    labels: Flags.string({
      description:
        'Labels of the machine, separated by commas; it writes them into cloud.labels of its configuration.',
      helpValue: '<labels>',
    }),
    team: Flags.string({
      description: 'Team to pair it with. Default: the team of your login.',
      helpValue: '<slug>',
    }),
  };

  async run(): Promise<PairingCode> {
    const { flags } = await this.parse(CloudPairCommand);
    refuseInsideSession(this.io.env, 'pair a machine with a team');
    const { version } = this.config;
    const session = await openCloudSession({ io: this.io, home: this.home(), version });
    const team = flags.team ?? session.login.team.id;
    const labels = (flags.labels ?? '').split(',').flatMap((label) => label.trim() || []);
    const body = { pool: flags.pool, labels };
    const path = `/teams/${encodeURIComponent(team)}/pairing-codes`;
    const code = await session.ask<PairingCode>(path, createJsonInit('POST', body));
    this.print(`Run this on the machine before ${code.expiresAt}:\n\n`);
    this.print(`  ${toPrintableLine(code.command)}\n\nThen start its runner: svc start\n`);
    return code;
  }
}
