import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Maintenance, MaintenanceOptions } from '../../../src/cloud/openMaintenance.ts';
import type { NodeOptions, StartedNode } from '../../../src/cloud/startNode.ts';

export interface ControlPlaneModule {
  startNode(options: NodeOptions): Promise<StartedNode>;
}

export interface MaintenanceModule {
  openMaintenance(options: MaintenanceOptions): Promise<Maintenance>;
}

/** By its path: the control plane is a build of its own, which no other command loads. */
export const loadControlPlane = (root: string): Promise<ControlPlaneModule> =>
  loadBuilt(root, 'main.js');

/** What only who has the database of a control plane may do; a part of the same build. */
export const loadMaintenance = (root: string): Promise<MaintenanceModule> =>
  loadBuilt(root, 'maintenance.js');

async function loadBuilt<Module>(root: string, name: string): Promise<Module> {
  const file = join(root, 'dist', 'cloud', name);
  if (!existsSync(file))
    throw new SvcError(
      'not-possible-now',
      'The control plane is not built yet. Run: npm run build',
    );
  return import(pathToFileURL(file).href);
}
