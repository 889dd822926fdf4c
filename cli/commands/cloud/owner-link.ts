import { SvcError } from '../../../src/base/errors/errors.ts';
import { MaintenanceCommand } from '../../base/maintenanceCommand.ts';

interface OwnerLink {
  url: string;
}

export default class CloudOwnerLinkCommand extends MaintenanceCommand {
  static override summary = 'Print a link with which the first owner sets up the team.';
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start). svc cloud start prints the same; its service does not. The link works once, within a day, as long as no one has an account.';
  static override examples = ['<%= config.bin %> cloud owner-link'];

  async run(): Promise<OwnerLink> {
    await this.parse(CloudOwnerLinkCommand);
    const url = await this.withMaintenance('make a link for the first owner', (maintenance) =>
      maintenance.createOwnerLink(),
    );
    if (url === null)
      throw new SvcError(
        'not-possible-now',
        'This control plane has accounts already. Ask an admin of a team for an invitation; for a forgotten password: svc cloud reset-password <email>.',
      );
    this.print(
      `The first owner sets up the team here; the link works once, within a day:\n  ${url}\n`,
    );
    return { url };
  }
}
