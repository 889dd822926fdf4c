import { networkInterfaces } from 'node:os';
import { makeOnFirstUse } from '../base/concurrency/makeOnFirstUse.ts';
import { Releasers } from '../base/concurrency/releasers.ts';
import type { KnownSecrets } from '../base/secrets/knownSecrets.ts';
import { type Ids, randomIds } from '../base/system/ids/ids.ts';
import type { Log } from '../base/system/log/log.ts';
import type { TrustedProxies } from '../base/system/network/trustedProxies.ts';
import { type Clock, systemClock } from '../base/time/clock.ts';
import { TRIAL_DATABASE } from '../contract/schema/cloud/cloudHealth.ts';
import { openDashboard } from './dashboard/openDashboard.ts';
import { renderMissingPage } from './dashboard/renderMissingPage.ts';
import { openDatabase } from './database/openDatabase.ts';
import { readDatabaseUrl } from './database/readDatabaseUrl.ts';
import { KEPT_JOBS_DAYS } from '../base/limits/keptJobs.ts';
import { REQUEST_LIMIT } from '../base/limits/requestLimit.ts';
import { TAKEOVER_MS } from '../base/limits/takeoverWindow.ts';
import { noteRestore } from './homes/noteRestore.ts';
import { openHomes } from './homes/openHomes.ts';
import type { TakeoverSettings } from './homes/takeovers.ts';
import { openTeamJobs } from './jobs/openTeamJobs.ts';
import { openOverlays } from './overlay/openOverlays.ts';
import { openPeople } from './people/openPeople.ts';
import { keepRetention } from './retention/keepRetention.ts';
import { openRunners } from './runners/openRunners.ts';
import type { RunnerDirectory } from './runners/runnerDirectory.ts';
import { buildCloudOpenapi } from './server/buildCloudOpenapi.ts';
import type { Credentials, RouteGroup } from './server/cloudCall.ts';
import type { CloudContext } from './server/cloudContext.ts';
import { createCloudApp } from './server/createCloudApp.ts';
import { createHealthCheck } from './server/createHealthCheck.ts';
import { createDatabaseLook } from './server/databaseLook.ts';
import { createReadinessCheck } from './server/createReadinessCheck.ts';
import { openCloudMetrics } from './server/metrics/openCloudMetrics.ts';
import { createTokenMatch } from './server/metrics/createTokenMatch.ts';
import { countWaiting } from './jobs/dispatches/countWaiting.ts';
import { createServiceHandlers } from './server/createServiceHandlers.ts';
import { findNodeUrl } from './server/findNodeUrl.ts';
import { openNodeLease } from './server/nodeLease.ts';
import { openCloudPort } from './server/openCloudPort.ts';
import { OpenRequests } from './server/openRequests.ts';
import { createRequestRate, RateLimits } from './server/rateLimits.ts';
import { openSealer } from './server/sealer.ts';
import { toRouteGroup } from './server/toRouteGroup.ts';
import { openWebhooks } from './webhooks/openWebhooks.ts';

export interface ControlPlaneOptions {
  host: string;
  /** 0 = any free one. */
  port: number;
  /** Where people and runners reach it; null = localhost and the port. */
  publicUrl: string | null;
  /** Where other nodes reach this one; null = the address that it listens on. */
  nodeUrl: string | null;
  /** Proxies in front whose X-Forwarded-For counts; default: none. */
  trustedProxies?: TrustedProxies | null;
  /** URL of the database. */
  database: string;
  /** Version of the PostgreSQL that svc started for it; null = the database is one of your own. */
  localPostgres: string | null;
  /** What secrets are sealed with in the database: 32 bytes in base64 or hex. Default: the node takes no webhooks, and no logins at a company's issuer. */
  cloudKey?: string | null;
  /** A further key that opens what it has sealed, while one replaces the other; default: none. */
  otherCloudKey?: string | null;
  /** What a monitor sends to read `GET /metrics`, 16 characters or more; default: no one may. */
  metricsToken?: string | null;
  /** Folder of the built dashboard; default: none is served. */
  dashboard?: string | null;
  /** Folder of the base layer, which the overlays of teams are linted with; default: none. */
  baseIntelligence?: string | null;
  version: string;
  log: Log;
  /** Takes secrets out of what is logged and answered; those that the node has are added to it. */
  secrets: KnownSecrets;
  clock?: Clock;
  ids?: Ids;
  /** Default: 60 s, and 120 s after a start. */
  takeover?: Partial<TakeoverSettings>;
  /** How long rows of ended jobs stay in the list, days; default: a year. */
  keptJobsDays?: number;
  /** Requests a minute that this node takes of each person; default: 600. */
  requestLimit?: number;
  /** Who calls; default: the people of this control plane, by token or cookie. */
  credentials?: Credentials;
}

export interface ControlPlane {
  /** Where this machine finds it, without a slash at the end. */
  url: string;
  publicUrl: string;
  nodeId: string;
  /** Version of the PostgreSQL that svc started; null = the database is one of your own. */
  localPostgres: string | null;
  /** A link for the first owner, good once; null once someone has an account. */
  createOwnerLink(): Promise<string | null>;
  runners: RunnerDirectory;
  /** Lets running requests finish, gives the lease up and closes the database. */
  stop(): Promise<void>;
}

/** How long a runner is silent before another one may continue its home, and how long a node and its database are up before. */
const TAKEOVER: TakeoverSettings = { windowMs: TAKEOVER_MS, quietMs: 120_000 };

/** What `GET /health` says of a database of one's own. */
const GIVEN_DATABASE = 'given';

/** Starts a node of the control plane. Rejects with SvcError; nothing is then left open. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { log } = options;
  const releasers = new Releasers((part, message) =>
    log.warn({ part, reason: message }, 'a part of the node was not closed in order'),
  );
  try {
    return await openParts(options, releasers);
  } catch (error) {
    await releasers.releaseAll();
    throw error;
  }
}

async function openParts(
  options: ControlPlaneOptions,
  releasers: Releasers,
): Promise<ControlPlane> {
  const { host, port, version, log, secrets, clock = systemClock, ids = randomIds } = options;
  const startedAt = clock.now();
  const { database: databaseUrl, localPostgres } = options;
  const { cloudKey = null, otherCloudKey = null } = options;
  const sealer = openSealer(cloudKey, otherCloudKey);
  const { password } = readDatabaseUrl(databaseUrl);
  if (password !== null) secrets.add([password]);
  for (const key of [cloudKey, otherCloudKey]) if (key !== null) secrets.add([key]);
  if (options.metricsToken) secrets.add([options.metricsToken]);
  const isMetricsToken = createTokenMatch(options.metricsToken ?? null);
  const metrics = await openCloudMetrics();
  const database = await openDatabase(databaseUrl, { log, ids, clock });
  releasers.add('database', () => database.close());
  await noteRestore({ database, log });
  const requests = new OpenRequests();
  const cloudPort = await openCloudPort({ host, port, clock, requests });
  const context: CloudContext = {
    database,
    clock,
    ids,
    log,
    publicUrl: options.publicUrl ?? `http://localhost:${cloudPort.port}`,
    nodeId: ids.next(),
    version,
    observer: metrics.observer,
  };
  const lease = await openNodeLease(context, {
    address: options.nodeUrl ?? findNodeUrl(host, cloudPort.port, networkInterfaces()),
    keyNames: sealer?.keyNames ?? [],
  }).catch(async (error: unknown) => {
    await cloudPort.close();
    throw error;
  });
  releasers.add('lease', () => lease.release());
  const people = await openPeople(context, { sealer, secrets });
  releasers.add('people', () => people.close());
  releasers.add('retention', keepRetention(context, options.keptJobsDays ?? KEPT_JOBS_DAYS));
  const homes = openHomes(context, lease, { ...TAKEOVER, ...options.takeover });
  releasers.add('homes', () => homes.close());
  const webhooks = await openWebhooks(context, sealer);
  releasers.add('webhooks', () => webhooks.close());
  const runners = openRunners(context, { homes: homes.links, webhooks: webhooks.links });
  homes.watch(runners);
  const teamJobs = openTeamJobs(context, runners.directory, requests.leaving);
  releasers.add('jobs', () => teamJobs.close());
  const overlays = openOverlays(context, runners, options.baseIntelligence ?? null);
  releasers.add('overlays', () => overlays.close());
  releasers.add('port', async () => {
    const closing = cloudPort.close();
    await Promise.all([runners.leave(), requests.drain()]);
    // The database may be away: sessions then end with the lease.
    await runners
      .close()
      .catch((error: unknown) => log.warn({ err: error }, 'runners were not signed off'));
    await closing;
  });
  const look = createDatabaseLook(context);
  const checkReadiness = createReadinessCheck(context, {
    look,
    isStopping: () => requests.isDraining,
    holdsLease: () => lease.holds(),
  });
  const groups: RouteGroup[] = [
    toRouteGroup(
      {
        ...people.handlers,
        ...runners.handlers,
        ...teamJobs.handlers,
        ...homes.handlers,
        ...overlays.handlers,
        ...webhooks.handlers,
        ...createServiceHandlers({
          checkHealth: createHealthCheck(context, {
            database: localPostgres === null ? GIVEN_DATABASE : TRIAL_DATABASE,
            startedAt,
            isStopping: () => requests.isDraining,
            look,
          }),
          checkReadiness,
          isMetricsToken,
          readMetrics: () =>
            metrics.read({
              version,
              look,
              isReady: async () => (await checkReadiness()).status === 'ready',
              countOwnRunners: () => runners.listConnected().length,
              countWaiting: () => countWaiting(database.look),
            }),
          openapi: makeOnFirstUse(() =>
            buildCloudOpenapi(
              groups.flatMap(({ routes }) => routes),
              version,
            ),
          ),
        }),
      },
      metrics.observer,
    ),
    teamJobs.proxied,
  ];
  const dashboard = openDashboard({
    context,
    sessions: people.sessions,
    folder: options.dashboard ?? null,
  });
  const app = createCloudApp({
    context,
    credentials: options.credentials ?? people.credentials,
    runners: homes.credentials,
    groups,
    mounts: [people.mount, runners.mount, ...dashboard],
    showMissingPage: renderMissingPage,
    requests,
    requestLimits: new RateLimits(clock, createRequestRate(options.requestLimit ?? REQUEST_LIMIT)),
    trustedProxies: options.trustedProxies ?? null,
    connections: cloudPort.connections,
    isDatabaseReachable: async () => (await look()).databaseReachable,
    screen: secrets.screen,
  });
  cloudPort.serve(app, [runners.upgrade]);
  const { nodeId, publicUrl } = context;
  return {
    url: cloudPort.url,
    publicUrl,
    nodeId,
    localPostgres,
    createOwnerLink: people.createOwnerLink,
    runners: runners.directory,
    stop: () => releasers.releaseAll(),
  };
}
