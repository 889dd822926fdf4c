import type { Clock } from '../../base/time/clock.ts';
import { CLOSE_CODES } from '../../contract/channel/closeCodes.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { type EndedSession, endForgottenSessions, findEndedSessions } from './runnerRows.ts';
import type { RunnerSession } from './runnerSession.ts';

/** Between two looks for sessions that must end, ms: those of a revoked runner end within 5 s. */
const SWEEP_MS = 2_000;
/** Age at which a token is replaced, ms. */
export const TOKEN_MS = 7 * 24 * 3_600_000;
/** How long a socket may stay after the same process has opened another one, ms. */
const RETIRED_MS = 15_000;
/** How long a session may be stored and not yet known here, ms. */
const ENTERING_MS = 30_000;

interface SweepParts {
  context: CloudContext;
  /** The newest session of each runner. */
  sessions: Map<string, RunnerSession>;
  replaceToken(session: RunnerSession): Promise<void>;
}

/**
 * Ends sessions of this node again and again: those of runners that were revoked, that another node has replaced, and
 * whose home another runner continues.
 */
export class SessionSweep {
  readonly #parts: SweepParts;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: SweepParts) {
    this.#parts = parts;
    this.#sweepLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #sweepLater(): void {
    const { clock, log } = this.#parts.context;
    this.#cancel = clock.at(clock.now() + SWEEP_MS, () => {
      this.#sweep()
        .catch((err: unknown) => log.warn({ err }, 'sessions of runners could not be checked'))
        .finally(() => {
          if (!this.#isClosed) this.#sweepLater();
        });
    });
  }

  async #sweep(): Promise<void> {
    const {
      context: { database, clock, nodeId },
      sessions,
    } = this.#parts;
    const open = [...sessions.values()].filter(({ isReady }) => isReady);
    const endedSessions = await findEndedSessions(
      database.sql,
      open.map(({ id, identity: { runnerId, tokenHash } }) => ({
        sessionId: id,
        runnerId,
        tokenHash,
      })),
    );
    for (const one of endedSessions) {
      const session = open.find(({ id }) => id === one.sessionId);
      if (session === undefined || sessions.get(session.identity.runnerId) !== session) continue;
      this.#end(session, one);
    }
    await this.#replaceTokens(open);
    const now = clock.now();
    await endForgottenSessions(
      database.sql,
      nodeId,
      [...sessions.values()].map(({ id }) => id),
      { now: new Date(now), startedBefore: new Date(now - ENTERING_MS) },
    );
  }

  #end(session: RunnerSession, { isRevoked, holder, instance }: EndedSession): void {
    const { context, sessions } = this.#parts;
    if (isRevoked) session.close(CLOSE_CODES.revoked, 'The runner was revoked.');
    else if (holder !== null)
      session.close(CLOSE_CODES.fenced, `The runner ${holder} continues the home of this one.`);
    else {
      sessions.delete(session.identity.runnerId);
      replaceSession(context.clock, session, instance);
    }
  }

  async #replaceTokens(open: readonly RunnerSession[]): Promise<void> {
    const { context, replaceToken } = this.#parts;
    for (const session of open) {
      const { tokenAt } = session;
      if (tokenAt === null || context.clock.now() - tokenAt < TOKEN_MS) continue;
      session.tokenAt = context.clock.now();
      await replaceToken(session);
    }
  }
}

/** Closes a session that a newer one replaces. `instance`: the process that has connected since. */
export function replaceSession(
  clock: Clock,
  session: RunnerSession,
  instance: string | null,
): void {
  if (session.hello?.instance !== instance) {
    session.close(
      CLOSE_CODES.replaced,
      'Another process has connected with the token of this runner.',
    );
    return;
  }
  // It ends the requests on the older socket first, and closes it itself.
  clock.at(clock.now() + RETIRED_MS, () =>
    session.close(CLOSE_CODES.reconnected, 'The same process has connected again.'),
  );
}
