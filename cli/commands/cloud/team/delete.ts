import { Args, Flags } from '@oclif/core';
import { RunnerCommand } from '../../../base/runnerCommand.ts';
import { openCloudSession } from '../../../cloud/cloudSession.ts';
import { refuseInsideSession } from '../../../input/confirmOrRefuse.ts';
import { toPrintableLine } from '../../../render/text/toPrintable.ts';

export default class CloudTeamDeleteCommand extends RunnerCommand {
  static override summary = 'Delete a team at the control plane.';
  static override description =
    'Needs the role owner. Deletes its members, invitations, runners with their state at the control plane, list of jobs, dispatches, webhooks and overlay; each runner keeps its jobs on its disk. It cannot be undone: svc cloud export makes a copy first. Audit entries stay in the database until they are a year old.';
  static override examples = ["<%= config.bin %> cloud team delete data --name 'Data science'"];
  static override args = {
    slug: Args.string({ required: true, description: 'Name of the team in addresses.' }),
  };
  static override flags = {
    name: Flags.string({
      required: true,
      description: 'Name of the team, as it is shown: confirms the deletion.',
      helpValue: '<name>',
    }),
  };

  async run(): Promise<{ team: string; deleted: boolean }> {
    const { args, flags } = await this.parse(CloudTeamDeleteCommand);
    refuseInsideSession(this.io.env, 'delete a team');
    const { version } = this.config;
    const session = await openCloudSession({ io: this.io, home: this.home(), version });
    const query = new URLSearchParams({ name: flags.name });
    await session.ask(`/teams/${encodeURIComponent(args.slug)}?${query}`, { method: 'DELETE' });
    this.print(`Deleted the team ${toPrintableLine(args.slug)}.\n`);
    return { team: args.slug, deleted: true };
  }
}
