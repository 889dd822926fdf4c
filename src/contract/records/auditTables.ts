import type { ActSource } from '../schema/runner/audit.ts';

/** What people did; a part of `Tables`. */
export interface AuditTables {
  /** The newest entries. Each is written before what it says is done. */
  audit_entries: {
    /** Counts from 1; an entry that could not be written leaves a gap. */
    n: number;
    /** Epoch ms. */
    at: number;
    via: ActSource;
    /** Null: no name is known. */
    person: string | null;
    /** Of the other end of the connection; null = there was no connection. */
    address: string | null;
    /** Name of the operation, as in GET /openapi.json, or `login`. */
    action: string;
    /** JSON of an object of texts. */
    target: string;
    job_id: string | null;
    /** Code of the error with which it ended; null = none is known. */
    failed: string | null;
  };
}
