import { systemClock } from '../../../base/time/clock.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { createHomeClient } from './createHomeClient.ts';

/** Asks about the home of a runner that is stopped, with its token. Throws SvcError `config-invalid`. */
export const openHomeClient = ({
  cloud: { url, token },
  version,
}: Pick<Settings, 'version'> & { cloud: Pick<Settings['cloud'], 'url' | 'token'> }): HomeClient =>
  createHomeClient({ url, version, readToken: () => token, clock: systemClock });
