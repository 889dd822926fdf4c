import { SvcError } from '../../../base/errors/errors.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import type { KnownRunner, RunnerDirectory } from '../../runners/runnerDirectory.ts';

export interface FoundRunner {
  id: string;
  name: string;
}

interface FindParts {
  context: Pick<CloudContext, 'database'>;
  directory: Pick<RunnerDirectory, 'list'>;
}

const listNames = (runners: readonly FoundRunner[]): string =>
  runners.map(({ name, id }) => `${name} (${id})`).join(', ');

const toFound = ({ id, name }: FoundRunner): FoundRunner => ({ id, name });

/** A runner by id or name. Throws SvcError `not-found`, or `conflict` where several have the name. */
export async function findNamedRunner(
  { directory }: Pick<FindParts, 'directory'>,
  teamId: string,
  idOrName: string,
): Promise<FoundRunner> {
  const runners = (await directory.list(teamId)).filter(({ revokedAt }) => revokedAt === null);
  const byId = runners.find(({ id }) => id === idOrName);
  if (byId !== undefined) return toFound(byId);
  const [first, ...others] = runners.filter(({ name }) => name === idOrName);
  if (first === undefined)
    throw new SvcError(
      'not-found',
      `The team has no runner ${idOrName}. Its runners: ${listNames(runners) || 'none'}.`,
    );
  if (others.length > 0) refuseSeveral([first, ...others], `are called ${idOrName}`);
  return toFound(first);
}

function refuseSeveral(runners: readonly FoundRunner[], what: string): never {
  throw new SvcError(
    'conflict',
    `Several runners ${what}: ${listNames(runners)}. Name one by its id with ?runner=.`,
    { data: { runners: runners.map(toFound) } },
  );
}

/**
 * The runner that a job is on, by the list, or by the dispatch that has just made it; a revoked one only where no other
 * has it. Throws SvcError `not-found`, or `conflict` where two homes have a job with this id.
 */
export async function findRunnerOfJob(
  { context: { database } }: FindParts,
  teamId: string,
  jobId: string,
): Promise<FoundRunner> {
  const rows = await database.sql`
    select id, name, revoked_at is null as is_paired from runners where team_id = ${teamId} and id in (
      select runner_id from jobs where team_id = ${teamId} and job_id = ${jobId}
      union all
      select runner_id from dispatches where team_id = ${teamId} and job_id = ${jobId} and state in ('placed', 'cancelled'))
    order by name, id`;
  const pairedRows = rows.filter((row) => row.is_paired === true);
  const [first, ...others] = (pairedRows.length > 0 ? pairedRows : rows).map((row) => ({
    id: String(row.id),
    name: String(row.name),
  }));
  if (first === undefined)
    throw new SvcError('not-found', `No runner of the team has a job ${jobId}.`);
  if (others.length > 0) refuseSeveral([first, ...others], `have a job ${jobId}`);
  return first;
}

const rankOwner = ({ owner }: KnownRunner, userId: string): number =>
  owner?.userId === userId ? 0 : owner === null ? 1 : 2;

/** A connected runner: one of the person, else one of the pool. Throws SvcError `runner-away` where none is connected. */
export async function findAnyRunner(
  { directory }: FindParts,
  teamId: string,
  userId: string,
): Promise<FoundRunner> {
  const [first] = (await directory.list(teamId))
    .filter(({ connected }) => connected)
    .sort((one, other) => rankOwner(one, userId) - rankOwner(other, userId));
  if (first === undefined)
    throw new SvcError(
      'runner-away',
      'No runner of the team is connected. One has to answer this.',
    );
  return toFound(first);
}

/** The only runner of a team. Throws SvcError `bad-argument` where one has to be named. */
export async function findOnlyRunner(
  { directory }: FindParts,
  teamId: string,
): Promise<FoundRunner> {
  const runners = (await directory.list(teamId)).filter(({ revokedAt }) => revokedAt === null);
  const [first, ...others] = runners;
  if (first === undefined)
    throw new SvcError('runner-away', 'The team has no runner yet. One has to answer this.');
  if (others.length > 0)
    throw new SvcError(
      'bad-argument',
      `This belongs to one runner. Name it with ?runner=: ${listNames(runners)}.`,
      { data: { runners: runners.map(toFound) } },
    );
  return toFound(first);
}
