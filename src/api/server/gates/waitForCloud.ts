import { unlessAway } from '../../../base/concurrency/unlessAway.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { formatUtcMinute } from '../../../base/time/toIsoTime.ts';
import type { RouteName } from '../../../contract/routes/addresses.ts';
import type { Route } from '../../../contract/routes/routes.ts';
import type { RouteEnv } from '../handler.ts';

/** How long a request that changes something waits for a control plane that is away, ms. */
export const AWAY_REQUEST_MS = 10_000;

/**
 * What changes nothing that the control plane has: the process, the configuration, plugins, trust, logins. With these a
 * person can repair the connection, or continue without it.
 */
const KEPT_HERE: ReadonlySet<RouteName> = new Set<RouteName>([
  'stopRunner',
  'restartRunner',
  'leaveTeam',
  'backup',
  'installPlugin',
  'uninstallPlugin',
  'checkPlugin',
  'testPlugin',
  'detectPluginAuth',
  'applyPluginAuth',
  'startVendorLogin',
  'completeVendorLogin',
  'cancelVendorLogin',
  'generateVendorToken',
  'updateConfig',
  'completeSetUp',
  'skipSetUpStep',
  'answerSetUpStep',
  'addTrust',
  'removeTrust',
  'createLogin',
  'logout',
  'endLogins',
]);

const changesState = ({ name, method, access }: Route): boolean =>
  method !== 'GET' && (access === 'write' || access === 'own') && !KEPT_HERE.has(name);

/**
 * Answers a request that changes something. Throws SvcError `cloud-unreachable` where the control plane is away: at once,
 * without having done anything, or when the request has waited for too long.
 */
export async function waitForCloud(
  route: Route,
  handle: () => unknown,
  { clock, awaySince }: Pick<RouteEnv, 'clock' | 'awaySince'>,
): Promise<unknown> {
  if (!changesState(route)) return handle();
  const since = awaySince();
  if (since !== null) throw createAwayError(since, 'Nothing was done: send it again later.', false);
  const limit = { clock, awaySince, mostMs: AWAY_REQUEST_MS };
  return unlessAway(Promise.resolve(handle()), limit, (from) => {
    throw createAwayError(
      from,
      'What was asked for waits and may still take effect. Sent again with the same Idempotency-Key it takes effect once.',
      true,
    );
  });
}

const createAwayError = (since: number, next: string, mayTakeEffect: boolean): SvcError =>
  new SvcError(
    'cloud-unreachable',
    `The control plane has not answered since ${formatUtcMinute(new Date(since).toISOString())}. ${next}`,
    { data: { since: new Date(since).toISOString(), mayTakeEffect } },
  );
