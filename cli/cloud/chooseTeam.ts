import type { Team } from '../../src/contract/schema/cloud/team.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

const listSlugs = (teams: readonly Team[]): string =>
  teams.map(({ slug }) => toPrintableLine(slug)).join(', ');

/**
 * The team that this machine works for: the one that is named, the only one, or the one that the
 * person at the terminal names. Throws SvcError `not-found` or `bad-argument`.
 */
export async function chooseTeam(
  { io, url }: { io: Pick<Io, 'ask'>; url: string },
  teams: readonly Team[],
  wantedTeam: string | undefined,
): Promise<Team> {
  const find = (name: string) => teams.find(({ slug, id }) => slug === name || id === name);
  if (wantedTeam !== undefined) {
    const team = find(wantedTeam);
    if (team !== undefined) return team;
    throw new SvcError(
      'not-found',
      teams.length === 0
        ? `You are not in the team ${wantedTeam}, nor in another one. Create one at ${url}/auth/home, or ask an admin of the team for an invitation.`
        : `You are not in the team ${wantedTeam}. Your teams: ${listSlugs(teams)}.`,
    );
  }
  const [only] = teams;
  if (only === undefined)
    throw new SvcError(
      'not-found',
      `You are not in a team. Create one at ${url}/auth/home, or ask an admin of one for an invitation. Then run svc login again.`,
    );
  if (teams.length === 1) return only;
  const question = `Which team is this machine for? Name it with --team: ${listSlugs(teams)}.`;
  if (io.ask === null) throw new SvcError('bad-argument', question);
  const team = find((await io.ask(`Team for this machine (${listSlugs(teams)}): `))?.trim() ?? '');
  if (team === undefined) throw new SvcError('bad-argument', question);
  return team;
}
