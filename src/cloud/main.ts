import { makeOnFirstUse } from '../base/concurrency/makeOnFirstUse.ts';
import type { KnownSecrets } from '../base/secrets/knownSecrets.ts';
import { type Ids, randomIds } from '../base/system/ids/ids.ts';
import type { Log } from '../base/system/log/log.ts';
import { type Clock, systemClock } from '../base/time/clock.ts';
import { openDatabase } from './database/openDatabase.ts';
import { readDatabaseUrl } from './database/readDatabaseUrl.ts';
import { buildCloudOpenapi } from './server/buildCloudOpenapi.ts';
import type { Credentials, RouteGroup } from './server/cloudCall.ts';
import type { CloudContext } from './server/cloudContext.ts';
import { createCloudApp } from './server/createCloudApp.ts';
import { createHealthCheck } from './server/createHealthCheck.ts';
import { createServiceHandlers } from './server/createServiceHandlers.ts';
import { openNodeLease } from './server/nodeLease.ts';
import { openCloudPort } from './server/openCloudPort.ts';
import { OpenRequests } from './server/openRequests.ts';
import { toRouteGroup } from './server/toRouteGroup.ts';

export interface ControlPlaneOptions {
  host: string;
  /** 0 = any free one. */
  port: number;
  /** Where people and runners reach it; null = localhost and the port. */
  publicUrl: string | null;
  /** Where other nodes reach this one; null = the address that it listens on. */
  nodeUrl: string | null;
  databaseUrl: string;
  /** What `GET /health` says of the database. */
  databaseNote: string;
  version: string;
  log: Log;
  /** Takes secrets out of what is logged and answered; those that the node has are added to it. */
  secrets: KnownSecrets;
  clock?: Clock;
  ids?: Ids;
  /** Who calls; default: no one is known. */
  credentials?: Credentials;
}

export interface ControlPlane {
  /** Where this machine finds it, without a slash at the end. */
  url: string;
  publicUrl: string;
  nodeId: string;
  /** Lets running requests finish, gives the lease up and closes the database. */
  stop(): Promise<void>;
}

const NO_ONE: Credentials = { findPerson: async () => null };

/** Starts a node of the control plane. Rejects with SvcError; nothing is then left open. */
export async function startControlPlane({
  host,
  port,
  publicUrl,
  nodeUrl,
  databaseUrl,
  databaseNote,
  version,
  log,
  secrets,
  clock = systemClock,
  ids = randomIds,
  credentials = NO_ONE,
}: ControlPlaneOptions): Promise<ControlPlane> {
  const { password } = readDatabaseUrl(databaseUrl);
  if (password !== null) secrets.add([password]);
  const startedAt = clock.now();
  const database = await openDatabase(databaseUrl, { log, ids, clock });
  const requests = new OpenRequests();
  const cloudPort = await openCloudPort({ host, port, clock, requests }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const context: CloudContext = {
    database,
    clock,
    ids,
    log,
    publicUrl: publicUrl ?? `http://localhost:${cloudPort.port}`,
    nodeId: ids.next(),
    version,
  };
  const lease = await openNodeLease(context, nodeUrl ?? cloudPort.url).catch(
    async (error: unknown) => {
      await Promise.all([cloudPort.close(), database.close()]);
      throw error;
    },
  );
  const groups: RouteGroup[] = [
    toRouteGroup({
      ...createServiceHandlers({
        checkHealth: createHealthCheck(context, {
          database: databaseNote,
          startedAt,
          isStopping: () => requests.isDraining,
        }),
        openapi: makeOnFirstUse(() =>
          buildCloudOpenapi(
            groups.flatMap(({ routes }) => routes),
            version,
          ),
        ),
      }),
    }),
  ];
  const app = createCloudApp({
    context,
    credentials,
    groups,
    mounts: [],
    requests,
    connections: cloudPort.connections,
    screen: secrets.screen,
  });
  cloudPort.serve(app, []);
  return {
    url: cloudPort.url,
    publicUrl: context.publicUrl,
    nodeId: context.nodeId,
    async stop() {
      await cloudPort.close();
      // The database may be away: the lease then ends by itself.
      await lease
        .release()
        .catch((error: unknown) => log.warn({ err: error }, 'the lease was not given up'));
      await database.close();
    },
  };
}
