import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { getLeaseHorizon } from '../server/nodeLease.ts';
import { askNode } from './nodeRequests.ts';
import type {
  KnownRunner,
  RunnerDirectory,
  RunnerReply,
  RunnerRequest,
} from './runnerDirectory.ts';
import type { RunnerHub } from './runnerHub.ts';

/** What a hello said, as it is stored. */
interface StoredHello {
  slots?: number;
  executors?: string[];
  forges?: string[];
}

const toIso = (time: Date | null): string | null =>
  time === null ? null : toIsoTime(time.getTime());

/** Where the clock of PostgreSQL does not count: the times come from the nodes. */
export function openRunnerDirectory(
  context: CloudContext,
  hub: RunnerHub,
  readSecret: () => Promise<string>,
): RunnerDirectory {
  const { database, clock, nodeId } = context;

  async function list(teamId: string): Promise<KnownRunner[]> {
    const rows = await database.sql`
      select runners.id, runners.name, runners.owner_id, users.name as owner_name, to_jsonb(runners.labels) as labels,
        runners.accept, runners.program_version, runners.hello - 'repositories' as hello, runners.created_at, runners.revoked_at,
        sessions.connected_at, sessions.lost_at, sessions.beat, nodes.lease_until, holders.name as continued_by
      from runners
      left join users on users.id = runners.owner_id
      left join runner_sessions sessions on sessions.runner_id = runners.id
      left join nodes on nodes.id = sessions.node_id
      left join adoptions on adoptions.runner_id = runners.id and adoptions.state = 'running'
      left join runners holders on holders.id = adoptions.adopter_id
      where runners.team_id = ${teamId}
      order by runners.name, runners.id`;
    const horizon = getLeaseHorizon(clock);
    return rows.map((row): KnownRunner => {
      const connected =
        row.revoked_at === null &&
        row.connected_at !== null &&
        row.lost_at === null &&
        row.lease_until !== null &&
        row.lease_until > horizon;
      const hello: StoredHello = row.hello ?? {};
      const beat = connected ? row.beat : null;
      return {
        id: row.id,
        name: row.name,
        owner: row.owner_id === null ? null : { userId: row.owner_id, name: row.owner_name },
        labels: row.labels,
        accept: row.accept,
        version: row.program_version,
        connected,
        connectedSince: connected ? toIso(row.connected_at) : null,
        // Of a node that died, the end of its lease is the last that is known.
        awaySince:
          connected || row.connected_at === null
            ? null
            : toIso(row.lost_at ?? row.lease_until ?? row.connected_at),
        state: beat?.state ?? null,
        slots: beat?.slots ?? hello.slots ?? null,
        free: beat?.free ?? null,
        executors: hello.executors ?? [],
        forges: hello.forges ?? [],
        ...(row.continued_by === null ? {} : { continuedBy: row.continued_by }),
        createdAt: toIsoTime(row.created_at.getTime()),
        revokedAt: toIso(row.revoked_at),
      };
    });
  }

  /** The node that has the runner; null = none has. */
  async function findNode(runnerId: string): Promise<string | null> {
    const [row] = await database.sql`
      select nodes.id, nodes.address from runner_sessions
      join nodes on nodes.id = runner_sessions.node_id
      join runners on runners.id = runner_sessions.runner_id
      where runner_sessions.runner_id = ${runnerId} and runner_sessions.lost_at is null
        and runners.revoked_at is null and nodes.lease_until > ${getLeaseHorizon(clock)}`;
    // This node does not have it, whatever is stored: it has not been written yet.
    return row === undefined || row.id === nodeId ? null : row.address;
  }

  async function ask(runnerId: string, request: RunnerRequest): Promise<RunnerReply> {
    const here = hub.find(runnerId);
    if (here !== undefined) return here.ask(request);
    const address = await findNode(runnerId);
    if (address === null)
      throw new SvcError(
        'runner-away',
        'The runner is not connected. It answers again when it is back.',
      );
    return askNode({ address, secret: await readSecret() }, runnerId, request);
  }

  return {
    list,
    ask,
    onHello: (listener) => hub.onHello(listener),
    onBeat: (listener) => hub.onBeat(listener),
    onJobs: (listener) => hub.onJobs(listener),
  };
}
