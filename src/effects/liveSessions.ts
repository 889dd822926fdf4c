/** A session that runs now, as others may act on it. */
interface LiveSession {
  visit: number;
  session: number;
  end: AbortController;
}

/** The agent sessions of this process by job: at most one each. Rebuilt by recovery, never stored. */
export class LiveSessions {
  readonly #byJob = new Map<string, LiveSession>();

  /** Enters a session; the signal is aborted when somebody wants it ended. */
  enter(jobId: string, visit: number, session: number): AbortSignal {
    const end = new AbortController();
    this.#byJob.set(jobId, { visit, session, end });
    return end.signal;
  }

  leave(jobId: string, signal: AbortSignal): void {
    if (this.#byJob.get(jobId)?.end.signal === signal) this.#byJob.delete(jobId);
  }

  /** Asks the session to end; false when it does not run (any more). */
  end(jobId: string, visit: number, session: number): boolean {
    const live = this.#byJob.get(jobId);
    if (live?.visit !== visit || live.session !== session) return false;
    live.end.abort();
    return true;
  }

  get size(): number {
    return this.#byJob.size;
  }
}
