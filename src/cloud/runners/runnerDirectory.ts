import type { TeamRunner } from '../../contract/schema/cloud/teamRunner.ts';
import type { TeamRole } from '../../contract/schema/cloud/teamRole.ts';
import type { Person } from '../server/cloudCall.ts';

/** An HTTP request to a runner. */
export interface RunnerRequest {
  method: string;
  /** With its query, as the runner's own routes have it. */
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  /** The member of the team who asks; null = the control plane itself, which may what a viewer may. */
  person: (Pick<Person, 'userId' | 'name'> & { role: TeamRole }) | null;
  /** Aborted when the reader leaves: the runner's route then ends too. */
  signal: AbortSignal;
}

/** What it answered. Its bytes are not to be trusted: see `sendRunnerReply`. */
export interface RunnerReply {
  status: number;
  headers: Record<string, string>;
  /** To be read, or given up by aborting the request's signal. */
  body: AsyncIterable<Uint8Array>;
  /** All bytes of `body`, where they have come. */
  fullBody?: Uint8Array;
}

/** A runner of a team, connected or not. */
export type KnownRunner = TeamRunner;

/** A row of a runner's list of jobs: a job as GET /jobs shows it, checked as far as it is stored in columns. */
export interface ListedJobRow {
  id: string;
  type: string;
  status: string;
  description: string;
  repoSlug: string | null;
  parentJobId: string | null;
  needs: unknown;
  createdAt: string;
  updatedAt: string;
  [member: string]: unknown;
}

/** A row of a runner's list, and the entry of its home's log that it was read at. */
export interface PlacedRow {
  row: ListedJobRow;
  /** null = not known. */
  entry: number | null;
}

export interface ReceivedJobs {
  teamId: string;
  runnerId: string;
  rows: readonly PlacedRow[];
  /**
   * The rows are all jobs of the runner that were created between these times, which are not part of it; null = no
   * limit. Others that are stored of that time no longer exist. Left out = nothing is known of other jobs.
   */
  range?: { after: string | null; before: string | null };
}

export interface ConnectedRunner {
  teamId: string;
  runnerId: string;
}

/** The runners of all teams, wherever they are connected. */
export interface RunnerDirectory {
  /** By name, revoked ones included. */
  list(teamId: string): Promise<KnownRunner[]>;
  /**
   * Over this node's socket, or the node that has it. Throws SvcError `runner-away` where it is not connected, or left
   * before it answered, and `runner-timeout`.
   */
  ask(runnerId: string, request: RunnerRequest): Promise<RunnerReply>;
  /** A runner has connected to this node. */
  onHello(listener: (runner: ConnectedRunner) => void): void;
  /** A runner of this node has other slots, or another state. */
  onBeat(listener: (runner: ConnectedRunner) => void): void;
  /** Rows of the list; acknowledged when all listeners have resolved. One that rejects gets them again. */
  onJobs(listener: (jobs: ReceivedJobs) => Promise<void>): void;
}
