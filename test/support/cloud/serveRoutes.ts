import { MAX_REQUEST_LIMIT } from '../../../src/base/limits/requestLimit.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import type { CloudRoute } from '../../../src/cloud/routes/cloudRoute.ts';
import type { AnyCloudCall, CallingRunner } from '../../../src/cloud/server/cloudCall.ts';
import type { CloudContext } from '../../../src/cloud/server/cloudContext.ts';
import { createHeaderCredentials } from './createHeaderCredentials.ts';
import { createCloudApp } from '../../../src/cloud/server/createCloudApp.ts';
import { createDatabaseLook } from '../../../src/cloud/server/databaseLook.ts';
import { openCloudPort } from '../../../src/cloud/server/openCloudPort.ts';
import { createRequestRate, RateLimits } from '../../../src/cloud/server/rateLimits.ts';
import { OpenRequests } from '../../../src/cloud/server/openRequests.ts';

/** Header with which a test says who calls: the ID of a user. */
export const AS = 'x-test-as';

/** The same for a runner, by its ID. */
export const AS_RUNNER = 'x-test-as-runner';

export interface ServedRoutes {
  url: string;
  requests: OpenRequests;
  /** `as`: ID of the user who asks; left out = no one is logged in. */
  ask(path: string, as?: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export const toRoute = (path: string, more: Partial<CloudRoute> = {}): CloudRoute => ({
  name: `${more.method ?? 'GET'} ${path}`,
  method: 'GET',
  path,
  kind: 'json',
  who: 'anyone',
  status: 200,
  mime: 'application/json',
  summary: '',
  refusals: [],
  reply: null,
  ...more,
});

/** Routes of a test behind the gates of a node, on a port. */
export async function serveRoutes(
  database: Database,
  routes: readonly CloudRoute[],
  answer: (route: CloudRoute, call: AnyCloudCall) => unknown,
  {
    publicUrl,
    requestLimit = MAX_REQUEST_LIMIT,
    clock = systemClock,
  }: { publicUrl?: string; requestLimit?: number; clock?: Clock } = {},
): Promise<ServedRoutes> {
  const requests = new OpenRequests();
  const port = await openCloudPort({ host: '127.0.0.1', port: 0, clock, requests });
  const context: CloudContext = {
    database,
    clock,
    ids: randomIds,
    log: silentLog,
    nodeId: 'node',
    version: '0.0.0',
    observer: {
      noteCommit: () => undefined,
      dispatchPlaced: () => undefined,
      secretRefused: () => undefined,
    },
    publicUrl: publicUrl ?? port.url,
  };
  const findRunner = async (ctx: { get(name: string): string }): Promise<CallingRunner | null> => {
    const runnerId = ctx.get(AS_RUNNER);
    if (runnerId === '') return null;
    return { runnerId, teamId: 'acme', ownerId: null, adoption: null, tokenHash: '' };
  };
  const app = createCloudApp({
    context,
    requests,
    mounts: [],
    showMissingPage: () => undefined,
    requestLimits: new RateLimits(clock, createRequestRate(requestLimit)),
    trustedProxies: null,
    connections: port.connections,
    credentials: createHeaderCredentials(AS),
    runners: { findRunner },
    groups: [{ routes, answer }],
    isDatabaseReachable: async () => (await createDatabaseLook(context)()).databaseReachable,
    screen: new KnownSecrets().screen,
  });
  port.serve(app, []);
  return {
    url: port.url,
    requests,
    ask: (path, as, init = {}) =>
      fetch(`${port.url}${path}`, {
        ...init,
        headers: { ...init.headers, ...(as === undefined ? {} : { [AS]: as }) },
      }),
    close: () => port.close(),
  };
}
