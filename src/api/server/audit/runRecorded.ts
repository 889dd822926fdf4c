import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import type { RouteName } from '../../../contract/routes/addresses.ts';
import type { Route } from '../../../contract/routes/routes.ts';
import type { AuditTrail, RequestedAct } from '../../../contract/runner/auditTrail.ts';
import type { Caller } from '../../../contract/schema/runner/caller.ts';
import type { ActSource } from '../../../contract/schema/runner/audit.ts';
import { isOwnClient } from '../replies/headers.ts';
import { describeAct } from './describeAct.ts';

/** What must be possible while nothing can be written: it ends something, and keeps a person from worse. */
const NEVER_REFUSED: ReadonlySet<RouteName> = new Set<RouteName>([
  'stopRunner',
  'restartRunner',
  'stopAll',
  'logout',
  'endLogins',
]);

interface RecordedCall {
  params: object;
  query: unknown;
  body: unknown;
  by: Caller;
  person: string | undefined;
  ctx: Context;
}

const findSource = (by: Caller, ctx: Context): ActSource => {
  if (by === 'member') return 'team';
  if (by === 'login') return 'dashboard';
  return isOwnClient(ctx) ? 'cli' : by;
};

/** Network address of the other end of the connection. */
export const findPeerAddress = ({ req }: Pick<Context, 'req'>): string | null =>
  req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? null;

const describeRequest = (name: RouteName, call: RecordedCall): RequestedAct => ({
  via: findSource(call.by, call.ctx),
  person: call.person ?? null,
  address: findPeerAddress(call.ctx),
  action: name,
  ...describeAct(name, call),
});

/**
 * Acts that are a commit of the store and nothing else. Commits keep the order in which they were asked for, so the entry
 * is kept no later than the act without being waited for; one write to the disk carries both.
 */
const COMMITS: ReadonlySet<RouteName> = new Set<RouteName>([
  'createJob',
  'resume',
  'cancel',
  'pause',
  'message',
  'rerun',
  'dismiss',
  'undismiss',
  'snooze',
  'unsnooze',
  'allowGuardrail',
  'setBudget',
]);

/**
 * Does what a request asks for. An act of a person is recorded first: what happened is in the log, even where the
 * runner dies. One that fails then gets the code of its error. Throws SvcError `store-failed` where an act cannot be
 * recorded: nothing has been done then, and of {@link COMMITS} nothing was kept.
 */
export async function runRecorded<Result>(
  route: Route,
  call: RecordedCall,
  trail: AuditTrail,
  act: () => Result | Promise<Result>,
): Promise<Result> {
  const entry = recordFirst(route, call, trail);
  // It is awaited below; the act may fail first.
  entry.catch(() => undefined);
  if (!COMMITS.has(route.name)) await entry;
  try {
    const result = await act();
    await entry;
    return result;
  } catch (error) {
    const n = await entry;
    if (n !== null)
      await trail.recordFailure(n, error instanceof SvcError ? error.code : 'internal');
    throw error;
  }
}

async function recordFirst(
  { name }: Route,
  call: RecordedCall,
  trail: AuditTrail,
): Promise<number | null> {
  try {
    return await trail.record(describeRequest(name, call));
  } catch (error) {
    if (!NEVER_REFUSED.has(name)) throw error;
    trail.reportUnrecorded(name, error);
    return null;
  }
}
