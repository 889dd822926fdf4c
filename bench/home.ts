import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARKING_WORKFLOW_FILE, WORKFLOW_PATH } from './benchWorkflow.ts';

/** Makes a folder the home of a runner that knows the workflow of the benches. */
export function writeHome(home: string): void {
  const overlay = join(home, 'overlay');
  mkdirSync(join(overlay, 'workflows'), { recursive: true });
  writeFileSync(join(overlay, WORKFLOW_PATH), PARKING_WORKFLOW_FILE);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ tenant: { overlay: { kind: 'localDir', path: overlay } } }));
}
