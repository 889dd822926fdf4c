/** Which agent session of which job: the place where an agent works, and the fence of its calls. */
export interface SessionRef {
  readonly jobId: string;
  /** Name of the phase that is worked on. */
  readonly phase: string;
  /** Number of the visit: of all phases that the job has entered, in order, from 1. */
  readonly visit: number;
  /** Number of the session within its visit, from 1. */
  readonly session: number;
}

/** What tells a session from all others; the phase follows from it. */
export type SessionKey = Pick<SessionRef, 'jobId' | 'visit' | 'session'>;

/** What tells a visit from all others. */
export type VisitKey = Pick<SessionRef, 'jobId' | 'visit'>;
