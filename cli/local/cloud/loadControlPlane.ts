import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { NodeOptions, StartedNode } from '../../../src/cloud/startNode.ts';

export interface ControlPlaneModule {
  startNode(options: NodeOptions): Promise<StartedNode>;
}

/** By its path: the control plane is a build of its own, which no other command loads. */
export async function loadControlPlane(root: string): Promise<ControlPlaneModule> {
  const file = join(root, 'dist', 'cloud', 'main.js');
  if (!existsSync(file))
    throw new SvcError(
      'not-possible-now',
      'The control plane is not built yet. Run: npm run build',
    );
  return import(pathToFileURL(file).href);
}
