import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/api/client/client.ts';

export interface TeamPlace {
  /** Address of the team at the control plane. */
  baseUrl: string;
  /** Of the person who is logged in. */
  token: string;
}

/** The team that a home is logged in to. */
export function readTeamPlace(home: string): TeamPlace {
  const { url, accessToken, team } = JSON.parse(
    readFileSync(join(home, 'cloud-login.json'), 'utf8'),
  );
  return { baseUrl: `${url}/teams/${team.slug}`, token: accessToken };
}

/** The API of a runner, asked through the control plane. `runner`: its name; null = the control plane decides. */
export function createTeamClient(place: TeamPlace, runner: string | null = null): Client {
  return createClient({
    ...place,
    fetch: (input, init) => {
      const url = new URL(String(input));
      if (runner !== null) url.searchParams.set('runner', runner);
      return fetch(url, init);
    },
  });
}

export async function askTeam<T>({ baseUrl, token }: TeamPlace, path: string): Promise<T> {
  const answer = await fetch(`${baseUrl}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`GET ${path}: the control plane answers ${answer.status}`);
  return answer.json() as Promise<T>;
}
