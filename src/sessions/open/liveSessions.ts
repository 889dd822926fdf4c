import type { SessionKey } from '../../contract/session/sessionRef.ts';
import type { SteerableRun } from '../steering/steeredRun.ts';
import type { JobPorts } from '../../../machines/index.ts';
import type { Port } from '../../kernel/port.ts';

/**
 * `message.offer`: hands a message to the running session. If none runs (any more) or it takes no
 * messages, the message stays unread in the inbox for the next kickoff.
 */
export const offerMessage =
  (sessions: LiveSessions): Port<JobPorts['message.offer']> =>
  async ({ visit, session, n }, { actorId: jobId }) => {
    sessions.message({ jobId, visit, session }, n);
  };

/**
 * `session.stop`: asks the running session to end. Its own `session.open` answers then; a session
 * that does not run (any more) needs nothing.
 */
export const stopSession =
  (sessions: LiveSessions): Port<JobPorts['session.stop']> =>
  async ({ visit, session }, { actorId: jobId }) => {
    sessions.end({ jobId, visit, session });
  };

/** A running session, as others may act on it. */
interface LiveSession {
  ref: SessionKey;
  end: AbortController;
  /** null until messages can be sent. */
  steered: SteerableRun | null;
  /** Messages that came before that. */
  early: number[];
}

/** The handle of the code that runs a session. */
export interface EnteredSession {
  readonly endAsked: AbortSignal;
  /** Sends messages to it from now on, earlier ones first. */
  steer(run: SteerableRun): void;
  leave(): void;
}

/** The agent sessions of this process, at most one per job. Rebuilt by recovery, never stored. */
export class LiveSessions {
  readonly #byJob = new Map<string, LiveSession>();

  enter(ref: SessionKey): EnteredSession {
    const { jobId } = ref;
    const live: LiveSession = { ref, end: new AbortController(), steered: null, early: [] };
    this.#byJob.set(jobId, live);
    return {
      endAsked: live.end.signal,
      steer(run) {
        live.steered = run;
        for (const n of live.early.splice(0)) run.message(n);
      },
      leave: () => {
        if (this.#byJob.get(jobId) === live) this.#byJob.delete(jobId);
      },
    };
  }

  /** False when it does not run (any more). */
  end(ref: SessionKey): boolean {
    const live = this.#findLive(ref);
    live?.end.abort();
    return live !== undefined;
  }

  /** Gives inbox item `n` to the session; false when it does not run (any more). */
  message(ref: SessionKey, n: number): boolean {
    const live = this.#findLive(ref);
    if (live?.steered) live.steered.message(n);
    else live?.early.push(n);
    return live !== undefined;
  }

  get size(): number {
    return this.#byJob.size;
  }

  #findLive({ jobId, visit, session }: SessionKey): LiveSession | undefined {
    const live = this.#byJob.get(jobId);
    return live?.ref.visit === visit && live.ref.session === session ? live : undefined;
  }
}
