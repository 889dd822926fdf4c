import type { ActSource, AuditLogQuery, RecordedAct } from '../schema/runner/audit.ts';

/** An act as it is about to happen. */
export interface RequestedAct {
  via: ActSource;
  /** Null: no name is known. */
  person: string | null;
  /** Null: it did not come over the network. */
  address: string | null;
  action: string;
  target: Readonly<Record<string, string>>;
  jobId: string | null;
}

/** The audit log of a runner. */
export interface AuditTrail {
  /** Resolves with the entry's number once it is kept. Throws SvcError `store-failed`, `stopping`. */
  record(act: RequestedAct): Promise<number>;
  /** Adds the code of the error with which the act of entry `n` ended. Never rejects. */
  recordFailure(n: number, code: string): Promise<void>;
  /** An act that could not be recorded and happens all the same. */
  reportUnrecorded(action: string, error: unknown): void;
  /** Newest first. */
  list(query: AuditLogQuery): { acts: RecordedAct[]; total: number };
}
