import { SvcError } from '../../base/errors/errors.ts';
import type { Frame } from '../../contract/channel/frames.ts';
import type { Mount } from '../server/createCloudApp.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { getLeaseHorizon } from '../server/nodeLease.ts';
import type { Upgrade } from '../server/openCloudPort.ts';
import { createRunnerHandlers } from './createRunnerHandlers.ts';
import { answerNodes, createSecretReader, NODE_PREFIX } from './nodeRequests.ts';
import { openRunnerDirectory } from './openRunnerDirectory.ts';
import type { ConnectedRunner, RunnerDirectory } from './runnerDirectory.ts';
import { RUNNER_SOCKET_PATH, RunnerHub, type RunnerLinks } from './runnerHub.ts';

export interface Runners {
  directory: RunnerDirectory;
  /** Whether a runner is connected to this node. */
  hasRunner(runnerId: string): boolean;
  /** Asks a runner of this node to take over a home. */
  sendAdoption(runnerId: string, frame: Frame<'adopt'>): void;
  /** The runners of this node. */
  listConnected(): ConnectedRunner[];
  /** Notifies a runner of this node that the overlay of its team has changed. */
  sendOverlay(runnerId: string, change: number): void;
  handlers: ReturnType<typeof createRunnerHandlers>;
  upgrade: Upgrade;
  mount: Mount;
  /** Sends the runners of this node to other nodes, where there are any. */
  leave(): Promise<void>;
  /** Ends what is left of their connections. */
  close(): Promise<void>;
}

/** Everything about runners of a node of the control plane. */
export function openRunners(context: CloudContext, links: RunnerLinks): Runners {
  const hub = new RunnerHub(context, links);
  const readSecret = createSecretReader(context.database);
  const directory = openRunnerDirectory(context, hub, readSecret);
  return {
    directory,
    hasRunner: (runnerId) => hub.find(runnerId) !== undefined,
    sendAdoption: (runnerId, frame) => hub.find(runnerId)?.send(frame),
    listConnected: () => hub.listConnected(),
    sendOverlay: (runnerId, change) => hub.find(runnerId)?.send({ type: 'overlay', change }),
    handlers: createRunnerHandlers(context, directory),
    upgrade: { path: RUNNER_SOCKET_PATH, accept: hub.accept },
    mount: {
      prefix: NODE_PREFIX,
      handle: answerNodes(readSecret, (runnerId, request) => {
        const session = hub.find(runnerId);
        // Not sent on again: two nodes could send it to and fro.
        if (session === undefined)
          throw new SvcError('runner-away', 'The runner is no longer connected to this node.');
        return session.ask(request);
      }),
    },
    async leave() {
      const isAlone = await hasNoOtherNode(context).catch(() => true);
      await hub.drain(isAlone ? 0 : undefined);
    },
    close: () => hub.close(),
  };
}

async function hasNoOtherNode({ database: { sql }, nodeId, clock }: CloudContext) {
  const [other] = await sql`
    select from nodes where id <> ${nodeId} and lease_until > ${getLeaseHorizon(clock)} limit 1`;
  return other === undefined;
}
