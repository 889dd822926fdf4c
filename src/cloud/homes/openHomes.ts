import { SvcError } from '../../base/errors/errors.ts';
import { findRunnerByToken } from '../runners/runnerRows.ts';
import { hashRunnerToken } from '../runners/runnerTokens.ts';
import type { homeRoutes } from '../routes/homeRoutes.ts';
import type { CloudHandlers, RunnerCredentials } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';

export interface Homes {
  handlers: CloudHandlers<typeof homeRoutes>;
  credentials: RunnerCredentials;
}

const refuse = (): never => {
  throw new SvcError('not-found', 'The control plane has no log of this home.');
};

export const openHomes = (context: CloudContext): Homes => ({
  credentials: {
    async findRunner(ctx) {
      const [, token = ''] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
      const hash = hashRunnerToken(token);
      const row = hash === null ? null : await findRunnerByToken(context.database.sql, hash);
      if (row === null) return null;
      const { id: runnerId, teamId, ownerId, tokenHash } = row;
      return { runnerId, teamId, ownerId, adopterId: null, tokenHash };
    },
  },
  handlers: {
    home: refuse,
    createHome: refuse,
    leaveHome: refuse,
    homeEntries: refuse,
    claimHome: refuse,
    releaseHome: refuse,
    reseedHome: refuse,
    checkpointParts: refuse,
    putCheckpointPart: refuse,
    completeCheckpoint: refuse,
    checkpoint: refuse,
    blob: refuse,
    putBlob: refuse,
    deleteBlob: refuse,
    teamHomes: () => ({ homes: [] }),
    changeRunner: refuse,
    releaseRunner: refuse,
  },
});
