import { refuseBad } from '../../src/api/client/problem.ts';
import type { TeamJob } from '../../src/contract/schema/cloud/teamJob.ts';
import type { TeamConnection } from './openTeamConnection.ts';

/** Jobs of a team that need a person. */
export async function readTeamInbox(
  { baseUrl, fetch }: TeamConnection,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ jobs: TeamJob[]; total: number }> {
  const reply = await refuseBad(await fetch(`${baseUrl}/inbox?limit=${limit}&offset=${offset}`));
  const jobs: TeamJob[] = await reply.json();
  return { jobs, total: Number(reply.headers.get('X-Total-Count') ?? jobs.length) };
}
