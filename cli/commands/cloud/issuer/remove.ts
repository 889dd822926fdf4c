import { MaintenanceCommand } from '../../../base/maintenanceCommand.ts';

export default class CloudIssuerRemoveCommand extends MaintenanceCommand {
  static override summary = "Log people in with passwords again, not at the company's issuer.";
  static override description =
    'For who runs the control plane: it needs the database. Accounts without a password need a link: svc cloud reset-password.';
  static override examples = ['<%= config.bin %> cloud issuer remove'];

  async run(): Promise<{ removed: boolean }> {
    await this.parse(CloudIssuerRemoveCommand);
    await this.withMaintenance('remove the issuer of logins', (maintenance) =>
      maintenance.removeIssuer(),
    );
    this.print(
      'People log in with passwords again. For who has none: svc cloud reset-password <email>\n',
    );
    return { removed: true };
  }
}
