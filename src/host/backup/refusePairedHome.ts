import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';

/** Where the home of a team notes it. */
const PAIRING = 'cloud.json';

/** Throws SvcError `not-possible-now` for the home of a team: its state is at the control plane. */
export function refusePairedHome(home: string): void {
  if (!existsSync(join(home, PAIRING))) return;
  throw new SvcError(
    'not-possible-now',
    `${home} belongs to a team, and the control plane has its newest state: svc start fetches it, also on an empty disk. A backup is older. To go back to it nevertheless, restore it into another folder and let it count there: svc restore --home <folder>, svc login, svc cloud reseed.`,
  );
}
