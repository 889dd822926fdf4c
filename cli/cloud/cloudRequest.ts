import { refuseBad } from '../../src/api/client/problem.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import type { Io } from '../io.ts';

/** Longest wait for an answer of the control plane, ms. */
const ANSWER_MS = 30_000;

export interface CloudPlace {
  io: Pick<Io, 'fetch'>;
  /** Origin of the control plane. */
  url: string;
  version: string;
}

/** An answer, whatever its status. Throws SvcError `unreachable`. No redirect is followed. */
export async function sendToCloud(
  { io, url, version }: CloudPlace,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('User-Agent', `${OWN_CLIENT}${version}`);
  if (!headers.has('Accept')) headers.set('Accept', 'application/json');
  try {
    return await io.fetch(`${url}${path}`, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch (cause) {
    throw new SvcError(
      'unreachable',
      `The control plane does not answer at ${url}. Check the address, and that svc cloud start is running there.`,
      { cause },
    );
  }
}

/** The JSON of a good answer. Throws ClientError for a refusal. */
export async function askCloud<T>(
  place: CloudPlace,
  path: string,
  init: RequestInit = {},
): Promise<T> {
  const answer = await refuseBad(await sendToCloud(place, path, init));
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

export const createJsonInit = (method: string, body: object, token?: string): RequestInit => ({
  method,
  headers: {
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify(body),
});
