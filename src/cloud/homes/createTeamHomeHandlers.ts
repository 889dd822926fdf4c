import { SvcError } from '../../base/errors/errors.ts';
import type { TeamHome } from '../../contract/schema/cloud/home.ts';
import { mayDo } from '../people/mayDo.ts';
import type { homeRoutes } from '../routes/homeRoutes.ts';
import type { CallTeam, CloudHandlers, Person } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { listHomes } from './listHomes.ts';
import { readPresence } from './takeoverTime.ts';

type TeamHomeRoutes = Pick<typeof homeRoutes, 'teamHomes' | 'changeRunner' | 'releaseRunner'>;

/** What the members of a team see and decide of its homes. */
export function createTeamHomeHandlers({
  database: { sql },
}: Pick<CloudContext, 'database'>): CloudHandlers<TeamHomeRoutes> {
  /** Throws SvcError `not-found`, and `forbidden` for someone else's machine. */
  async function checkRunner(team: CallTeam, person: Person, runnerId: string): Promise<void> {
    const [runner] = await sql`
      select owner_id from runners join homes on homes.runner_id = runners.id
      where runners.id = ${runnerId} and runners.team_id = ${team.id} and revoked_at is null`;
    if (runner === undefined)
      throw new SvcError(
        'not-found',
        'The team has no such runner, or the control plane has no log of its home.',
      );
    if (!mayDo(team.role, 'runner.takeover', runner.owner_id === person.userId))
      throw new SvcError('forbidden', 'Only the owner of a runner or an admin can decide this.');
  }

  async function readOne(teamId: string, runnerId: string): Promise<TeamHome> {
    const home = (await listHomes(sql, teamId)).find(({ runner }) => runner.id === runnerId);
    if (home === undefined) throw new SvcError('not-found', 'The team has no such home.');
    return home;
  }

  return {
    teamHomes: async ({ team }) => ({ homes: await listHomes(sql, team.id) }),
    async changeRunner({ team, person, params: { runnerId }, body: { policy } }) {
      await checkRunner(team, person, runnerId);
      await sql`update homes set policy = ${policy} where runner_id = ${runnerId}`;
      return readOne(team.id, runnerId);
    },
    async releaseRunner({ team, person, params: { runnerId } }) {
      await checkRunner(team, person, runnerId);
      const { isConnected } = await readPresence(sql, runnerId);
      if (isConnected)
        throw new SvcError(
          'not-possible-now',
          'The runner is connected. Give its home up on its own machine, with svc runner release.',
        );
      // Of this generation alone: what its next process writes is not covered by the decision.
      await sql`update homes set asked_generation = generation where runner_id = ${runnerId}`;
      return readOne(team.id, runnerId);
    },
  };
}
