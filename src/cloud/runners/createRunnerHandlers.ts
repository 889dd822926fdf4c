import { SvcError } from '../../base/errors/errors.ts';
import { mayDo } from '../people/mayDo.ts';
import type { runnerRoutes } from '../routes/runnerRoutes.ts';
import type { CloudHandlers } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { findAddress } from '../server/findAddress.ts';
import { createPairingCode, pairRunner } from './pairingCodes.ts';
import type { RunnerDirectory } from './runnerDirectory.ts';

export const createRunnerHandlers = (
  context: CloudContext,
  directory: Pick<RunnerDirectory, 'list'>,
): CloudHandlers<typeof runnerRoutes> => ({
  createPairingCode({ team, person, body: { pool = false, labels = [] } }) {
    if (pool && !mayDo(team.role, 'runner.pairPool'))
      throw new SvcError('forbidden', 'Only an admin of the team can pair a runner of the pool.');
    const request = { teamId: team.id, createdBy: person.userId, pool, labels };
    return createPairingCode(context, request);
  },
  pairRunner: ({ body, ctx }) => pairRunner(context, body, findAddress(ctx.req)),
  async teamRunners({ team, query: { all } }) {
    const runners = await directory.list(team.id);
    return { runners: runners.filter(({ connected }) => all === '1' || connected) };
  },
  async revokeRunner({ team, person, params: { runnerId } }) {
    const { sql } = context.database;
    const [runner] = await sql`
      select owner_id from runners where id = ${runnerId} and team_id = ${team.id} and revoked_at is null`;
    if (runner === undefined) throw new SvcError('not-found', 'The team has no such runner.');
    if (!mayDo(team.role, 'runner.revoke', runner.owner_id === person.userId))
      throw new SvcError('forbidden', 'Only the owner of a runner or an admin can revoke it.');
    await sql`
      update runners set revoked_at = ${new Date(context.clock.now())}, previous_hash = null
      where id = ${runnerId} and revoked_at is null`;
  },
});
