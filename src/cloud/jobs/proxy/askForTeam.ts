import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import { listParamNames } from '../../../contract/routes/params.ts';
import type { Route } from '../../../contract/routes/routes.ts';
import type { RunnerDirectory, RunnerReply } from '../../runners/runnerDirectory.ts';
import type { CallTeam, Person } from '../../server/cloudCall.ts';
import { findAwaySince } from '../list/toTeamJob.ts';
import type { FoundRunner } from './findRunner.ts';

/** Headers of the caller that the runner's routes read. */
const PASSED = ['accept', 'content-type', 'if-match', 'if-none-match', 'last-event-id'] as const;

export interface TeamRequest {
  ctx: Context;
  team: CallTeam;
  person: Person;
  signal: AbortSignal;
}

/** The runner's own path, from values that were checked: nothing of the caller's address is passed on as it came. */
export const buildRunnerPath = (
  path: string,
  params: Readonly<Record<string, string | number>>,
): string =>
  listParamNames(path).reduce(
    (filledPath, name) =>
      filledPath.replace(`:${name}`, encodeURIComponent(String(params[name] ?? ''))),
    path,
  );

/** The query without the name of the runner, which is the control plane's own. */
export function formatRunnerQuery(ctx: Context): string {
  if (ctx.querystring === '') return '';
  const query = new URLSearchParams(ctx.querystring);
  query.delete('runner');
  return query.size === 0 ? '' : `?${query}`;
}

function pickHeaders(ctx: Context, { userId }: Person): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of PASSED) {
    const value = ctx.req.headers[name];
    if (typeof value === 'string' && value !== '') headers[name] = value;
  }
  const key = ctx.get('Idempotency-Key');
  // Keys of two people are different ones, and none is that of a dispatch.
  if (key !== '') headers['idempotency-key'] = sha256(`${userId}\n${key}`);
  const requestId: unknown = ctx.state.requestId;
  if (typeof requestId === 'string') headers['x-request-id'] = requestId;
  return headers;
}

const toBytes = (body: unknown): Uint8Array | null =>
  typeof body === 'string' && body !== '' ? new TextEncoder().encode(body) : null;

/**
 * Asks a runner in the name of a member. Throws SvcError `runner-away`, which names the runner and since when it is
 * away, or `runner-timeout`.
 */
export async function askForTeam(
  directory: RunnerDirectory,
  { id, name }: FoundRunner,
  { method, path }: { method: Route['method'] | 'HEAD'; path: string },
  { ctx, team, person, signal }: TeamRequest,
): Promise<RunnerReply> {
  let reply: RunnerReply;
  try {
    reply = await directory.ask(id, {
      method,
      path,
      headers: pickHeaders(ctx, person),
      body: toBytes(ctx.request.rawBody),
      person: { userId: person.userId, name: person.name, role: team.role },
      signal,
    });
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'runner-away') throw error;
    const knownRunner = (await directory.list(team.id)).find((one) => one.id === id);
    const awaySince = knownRunner === undefined ? null : findAwaySince(knownRunner);
    throw new SvcError(
      'runner-away',
      explainAway(name, awaySince, knownRunner?.revokedAt ?? null),
      {
        data: { runner: { id, name, awaySince } },
        cause: error,
      },
    );
  }
  if (reply.status === 401) throw createStrangerError(name);
  return reply;
}

/** Its own port does not know its link. Passed on, the status would say that the person is not logged in. */
const createStrangerError = (name: string): SvcError =>
  new SvcError(
    'runner-away',
    `The runner ${name} does not accept requests of its own link. Restart it, then send the request again.`,
  );

function explainAway(name: string, awaySince: string | null, revokedAt: string | null): string {
  if (revokedAt !== null)
    return `The runner ${name} was revoked at ${revokedAt}. Its jobs are on its machine; to pair it again, run svc login in a terminal there.`;
  return awaySince === null
    ? `The runner ${name} could not be reached. Send the request again.`
    : `The runner ${name} is away since ${awaySince}. It answers again when it is back.`;
}
