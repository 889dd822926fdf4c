import type { Maintenance } from '../../src/cloud/openMaintenance.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { refuseInsideSession } from '../input/confirmOrRefuse.ts';
import { loadMaintenance } from '../local/cloud/loadControlPlane.ts';
import { DATABASE_VARIABLE } from '../service/cloudVariables.ts';
import { findCloudVariable } from '../service/findCloudVariable.ts';
import { RunnerCommand } from './runnerCommand.ts';

/**
 * A command for who runs a control plane: who can open its database, with DATABASE_URL or as the user whose svc has
 * started it. No login is needed, and none is enough.
 */
export abstract class MaintenanceCommand extends RunnerCommand {
  /** `act`: what it does, for the refusal inside a session. */
  protected async withMaintenance<T>(
    act: string,
    work: (maintenance: Maintenance) => Promise<T>,
  ): Promise<T> {
    refuseInsideSession(this.io.env, act);
    const home = this.home();
    const { openMaintenance } = await loadMaintenance(findPackageRoot(import.meta.url));
    const maintenance = await openMaintenance({
      home,
      database: await findCloudVariable(this.io, home, DATABASE_VARIABLE),
      cloudKey: await findCloudVariable(this.io, home, 'SVC_CLOUD_KEY'),
      otherCloudKey: await findCloudVariable(this.io, home, 'SVC_CLOUD_OTHER_KEY'),
      isRoot: process.getuid?.() === 0,
    });
    try {
      return await work(maintenance);
    } finally {
      await maintenance.close();
    }
  }
}
