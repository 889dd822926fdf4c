import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import type {
  Dispatch,
  DispatchBody,
  DispatchedJob,
} from '../../src/contract/schema/cloud/dispatch.ts';
import type { Io } from '../io.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

interface DispatchRequest {
  /** Of a team. */
  client: Pick<Client, 'createJob'>;
  body: DispatchBody;
  io: Pick<Io, 'err'>;
  /** Whether it waits for a runner as long as that takes. */
  isAwaited: boolean;
}

const isMade = (reply: object): reply is DispatchedJob => 'dispatchId' in reply;

/**
 * Sends a job to a team. The same request is repeated while it waits for a runner: each answers after some seconds, with
 * the job or with why it waits, which is printed when it changes. Throws SvcError `not-possible-now` where the dispatch
 * has ended without a job, ClientError where runners have refused it.
 */
export async function dispatchJob({
  client,
  body,
  io,
  isAwaited,
}: DispatchRequest): Promise<DispatchedJob | Dispatch> {
  const idempotencyKey = randomIds.next();
  let lastState = '';
  for (;;) {
    const reply: object = await client.createJob(body, { idempotencyKey });
    if (isMade(reply)) return reply;
    // The other reply of the route: it has no job yet.
    const dispatch = reply as Dispatch;
    const { id, state, reason } = dispatch;
    if (state !== 'waiting' && state !== 'sent')
      throw new SvcError('not-possible-now', `The dispatch ${id} is ${state}: ${reason}.`, {
        data: { dispatchId: id, state },
      });
    if (!isAwaited) return dispatch;
    if (reason !== lastState) io.err(`dispatch ${id} waits: ${toPrintableLine(reason)}\n`);
    lastState = reason;
  }
}
