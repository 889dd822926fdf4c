import { SvcError } from '../../base/errors/errors.ts';
import type { SentProposal } from '../../contract/schema/cloud/teamOverlay.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import { insertProposal, type StoreParts } from './insertProposal.ts';
import type { StoredProposal } from './proposalRows.ts';

/**
 * Stores a proposal that a runner sends, once: a repeat changes nothing. The runner is not believed: what a proposal may
 * hold is checked again. Throws SvcError `conflict` where another proposal has the id, and what `insertProposal` throws.
 */
export async function storeProposal(
  parts: StoreParts,
  { teamId, runnerId }: Pick<CallingRunner, 'teamId' | 'runnerId'>,
  id: string,
  proposal: SentProposal,
): Promise<void> {
  const earlierProposal = await findSent(parts, teamId, id);
  if (earlierProposal !== undefined) return refuseOther(earlierProposal, runnerId, proposal.hash);
  await insertProposal(parts, { id, teamId, runnerId, userId: null, proposal });
  const storedProposal = await findSent(parts, teamId, id);
  if (storedProposal !== undefined) refuseOther(storedProposal, runnerId, proposal.hash);
}

async function findSent({ context: { database } }: StoreParts, teamId: string, id: string) {
  const [row] = await database.sql<Pick<StoredProposal, 'runner_id' | 'hash'>[]>`
    select runner_id, hash from proposals where team_id = ${teamId} and id = ${id}`;
  return row;
}

function refuseOther(
  storedProposal: Pick<StoredProposal, 'runner_id' | 'hash'>,
  runnerId: string,
  hash: string,
): void {
  if (storedProposal.runner_id !== runnerId || storedProposal.hash !== hash)
    throw new SvcError('conflict', 'The team has another proposal with this ID.');
}
