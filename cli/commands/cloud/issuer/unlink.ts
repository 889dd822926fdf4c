import { Args } from '@oclif/core';
import { MaintenanceCommand } from '../../../base/maintenanceCommand.ts';
import { toPrintableLine } from '../../../render/text/toPrintable.ts';

interface UnlinkReply {
  email: string;
}

export default class CloudIssuerUnlinkCommand extends MaintenanceCommand {
  static override summary = "Disconnect an account from its person at the company's issuer.";
  static override description =
    'For who runs the control plane: it needs the database. For a person who was created again at the issuer: all logins of the account end, and the person connects it again by an invitation. Its roles and machines stay, so first remove a person who has left from the teams.';
  static override examples = ['<%= config.bin %> cloud issuer unlink ada@example.com'];
  static override args = {
    email: Args.string({ required: true, description: 'Email address of the account.' }),
  };

  async run(): Promise<UnlinkReply> {
    const { args } = await this.parse(CloudIssuerUnlinkCommand);
    await this.withMaintenance('disconnect an account', (maintenance) =>
      maintenance.unlinkAccount(args.email),
    );
    this.print(
      `The account ${toPrintableLine(args.email)} is disconnected and its logins have ended. The person connects it again by the link of an invitation.\n`,
    );
    return { email: args.email };
  }
}
