import { Args, Flags } from '@oclif/core';
import type { Team } from '../../../../src/contract/schema/cloud/team.ts';
import { RunnerCommand } from '../../../base/runnerCommand.ts';
import { createJsonInit } from '../../../cloud/cloudRequest.ts';
import { openCloudSession } from '../../../cloud/cloudSession.ts';
import { refuseInsideSession } from '../../../input/confirmOrRefuse.ts';
import { toPrintableLine } from '../../../render/text/toPrintable.ts';

export default class CloudTeamCreateCommand extends RunnerCommand {
  static override summary = 'Create a team at the control plane; you become its owner.';
  static override description =
    'This machine keeps working for the team of its login; svc login --team <slug> connects it to another one.';
  static override examples = [
    "<%= config.bin %> cloud team create 'Data science'",
    "<%= config.bin %> cloud team create 'Data science' --slug data",
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the team.' }),
  };
  static override flags = {
    slug: Flags.string({
      description: 'Its name in addresses: a-z, 0-9 and -. Default: made from the name.',
      helpValue: '<slug>',
    }),
  };

  async run(): Promise<Team> {
    const { args, flags } = await this.parse(CloudTeamCreateCommand);
    refuseInsideSession(this.io.env, 'create a team');
    const { version } = this.config;
    const session = await openCloudSession({ io: this.io, home: this.home(), version });
    const body = { name: args.name, ...(flags.slug === undefined ? {} : { slug: flags.slug }) };
    const team = await session.ask<Team>('/teams', createJsonInit('POST', body));
    const slug = toPrintableLine(team.slug);
    this.print(
      `Created the team ${toPrintableLine(team.name)}: ${session.login.url}/t/${slug}/\nTo connect this machine to it: svc login --team ${slug}\n`,
    );
    return team;
  }
}
