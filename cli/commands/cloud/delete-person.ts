import { Args, Flags } from '@oclif/core';
import type { DeletedPerson } from '../../../src/cloud/openMaintenance.ts';
import { MaintenanceCommand } from '../../base/maintenanceCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class CloudDeletePersonCommand extends MaintenanceCommand {
  static override summary = 'Delete the account of a person, with all that is theirs.';
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start), and no login. Deletes logins, memberships, machines with what the control plane has of their state and their jobs in the list, dispatches and invitations; each machine keeps its jobs on its disk. Without --name it says what would be deleted, and changes nothing. The only owner of a team is refused. Audit entries stay until they are a year old.';
  static override examples = [
    '<%= config.bin %> cloud delete-person ada@example.com',
    "<%= config.bin %> cloud delete-person ada@example.com --name 'Ada Lovelace'",
  ];
  static override args = {
    email: Args.string({ required: true, description: 'Email address of the account.' }),
  };
  static override flags = {
    name: Flags.string({
      description: 'Name of the account, as it is shown: confirms the deletion.',
      helpValue: '<name>',
    }),
  };

  async run(): Promise<DeletedPerson> {
    const { args, flags } = await this.parse(CloudDeletePersonCommand);
    const deletedPerson = await this.withMaintenance('delete an account', (maintenance) =>
      maintenance.deletePerson(args.email, flags.name ?? null),
    );
    const runners = deletedPerson.runners.map(toPrintableLine).join(', ');
    this.print(
      `Deleted ${toPrintableLine(deletedPerson.email)}.${runners === '' ? '' : ` Machines that left their teams: ${runners}.`}\n`,
    );
    return deletedPerson;
  }
}
