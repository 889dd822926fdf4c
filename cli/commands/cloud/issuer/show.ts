import type { ShownSignOn } from '../../../../src/cloud/openMaintenance.ts';
import { MaintenanceCommand } from '../../../base/maintenanceCommand.ts';
import { formatSignOn } from '../../../render/cloud/formatSignOn.ts';

export default class CloudIssuerShowCommand extends MaintenanceCommand {
  static override summary = 'Show where people log in, and the redirect URI to register there.';
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start). It never shows the secret.';
  static override examples = ['<%= config.bin %> cloud issuer show'];

  async run(): Promise<ShownSignOn> {
    await this.parse(CloudIssuerShowCommand);
    const signOn = await this.withMaintenance('read the issuer of logins', (maintenance) =>
      maintenance.showSignOn(),
    );
    this.print(formatSignOn(signOn));
    return signOn;
  }
}
