import { systemClock } from '../../../base/time/clock.ts';
import { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import { RunnerRequests } from '../../../cloudLink/homes/runnerRequests.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';

/** Asks about the home of a runner that is stopped, with its token. Throws SvcError `config-invalid`. */
export const openHomeClient = ({
  cloud,
  version,
}: Pick<Settings, 'cloud' | 'version'>): HomeClient =>
  new HomeClient(
    new RunnerRequests({
      url: cloud.url,
      token: () => cloud.token,
      version,
      clock: systemClock,
      random: Math.random,
    }),
  );
