import { SvcError } from '../../src/base/errors/errors.ts';
import { readHomeVariable, resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import type { Io } from '../io.ts';
import { openCloudSession } from './cloudSession.ts';

/** What a client of the runner's API takes to ask a team instead of a runner. */
export interface TeamConnection {
  /** The team's address at the control plane: below it are the routes of its runners. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The control plane that this home is logged in to. Throws SvcError `unauthorized` where it is not. */
export async function openTeamConnection(
  io: Io,
  version: string,
  team: string,
): Promise<TeamConnection> {
  if (!SLUG.test(team))
    throw new SvcError(
      'bad-argument',
      `--team is "${team}", but must be the name of a team in addresses: a-z, 0-9 and -.`,
    );
  const home = resolveHomeFolder(readHomeVariable(io.env), io.homeDir);
  const session = await openCloudSession({ io, home, version });
  return { baseUrl: `${session.login.url}/teams/${team}`, fetch: session.fetch };
}
