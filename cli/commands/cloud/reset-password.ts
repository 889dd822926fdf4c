import { Args } from '@oclif/core';
import type { PasswordLink } from '../../../src/cloud/openMaintenance.ts';
import { MaintenanceCommand } from '../../base/maintenanceCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class CloudResetPasswordCommand extends MaintenanceCommand {
  static override summary = 'Print a link with which a person chooses a new password.';
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start), and no login. The link works once, within an hour; an earlier one of the person ends. When it is used, all logins of the account end: those of browsers and of command lines. Its machines stay paired.';
  static override examples = ['<%= config.bin %> cloud reset-password ada@example.com'];
  static override args = {
    email: Args.string({ required: true, description: 'Email address of the account.' }),
  };

  async run(): Promise<PasswordLink> {
    const { args } = await this.parse(CloudResetPasswordCommand);
    const link = await this.withMaintenance('make a link for a new password', (maintenance) =>
      maintenance.createPasswordLink(args.email),
    );
    this.print(
      `Send this link to ${toPrintableLine(link.email)}. It works once, until ${link.expiresAt}; anyone who has it can take the account over:\n\n  ${link.url}\n\n`,
    );
    this.print(
      'When it is used, all logins of the account end. Its machines stay paired; revoke them on the page Runners.\n',
    );
    return link;
  }
}
