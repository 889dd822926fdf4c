import type { Client } from '../../src/api/client/client.ts';
import { toErrorMessage } from '../../src/base/errors/errors.ts';
import { ANSWER_MS } from './check.ts';

export type RunnerProbe =
  | { client: Client; version: string; date: { shows: number; here: number } | null }
  | { client: null; why: string };

/** The Date header of any reply; null if it has none. */
async function readDateHeader(
  baseUrl: string,
  now: () => number,
): Promise<{ shows: number; here: number } | null> {
  try {
    const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.body?.cancel();
    const shows = Date.parse(response.headers.get('Date') ?? '');
    return Number.isNaN(shows) ? null : { shows, here: now() };
  } catch {
    return null;
  }
}

export async function probeRunner(
  ask: () => Promise<Client>,
  now: () => number,
): Promise<RunnerProbe> {
  try {
    const client = await ask();
    const date = await readDateHeader(client.baseUrl, now);
    const { version } = await client.health();
    return { client, version, date };
  } catch (error) {
    return { client: null, why: toErrorMessage(error) };
  }
}
