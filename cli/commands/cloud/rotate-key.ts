import type { RotatedKey } from '../../../src/cloud/openMaintenance.ts';
import { MaintenanceCommand } from '../../base/maintenanceCommand.ts';
import { findCloudVariable } from '../../service/findCloudVariable.ts';

export default class CloudRotateKeyCommand extends MaintenanceCommand {
  static override summary = 'Seal the secrets in the database of a control plane with another key.';
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start), the new key in SVC_CLOUD_KEY and the one that it replaces in SVC_CLOUD_OTHER_KEY, as its service has them. Every node has to run with both. Nodes continue meanwhile; after a kill run it again. Where svc keeps the key in the home, it makes the new one: start the control plane again, and run the command a second time.';
  static override examples = ['<%= config.bin %> cloud rotate-key'];

  async run(): Promise<RotatedKey> {
    await this.parse(CloudRotateKeyCommand);
    const key = await findCloudVariable(this.io, this.home(), 'SVC_CLOUD_KEY');
    const rotatedKey = await this.withMaintenance('replace the key of secrets', (maintenance) =>
      maintenance.rotateKey(),
    );
    this.print(formatRotatedKey(rotatedKey, key === null));
    return rotatedKey;
  }
}

function formatRotatedKey({ state, columns }: RotatedKey, isLocal: boolean): string {
  if (state === 'prepared')
    return 'The home has a new key beside the one that it replaces. Start the control plane again, then run this again: svc cloud rotate-key\n';
  const sum = (name: 'resealed' | 'lost') => columns.reduce((total, one) => total + one[name], 0);
  const lostNote =
    sum('lost') === 0
      ? ''
      : `${sum('lost')} secrets open with neither key and are lost (${columns
          .filter((one) => one.lost > 0)
          .map(({ column, lost: count }) => `${column}: ${count}`)
          .join(
            ', ',
          )}). The log of each node names the webhooks when it starts; everything else works.\n`;
  const next = isLocal
    ? 'The old key was removed from the home.\n'
    : 'Start each node without SVC_CLOUD_OTHER_KEY now, and remove it from the variables of its service. Then destroy the old key, but keep it as long as backups that need it.\n';
  return `${sum('resealed')} secrets were sealed with the new key.\n${lostNote}${next}`;
}
