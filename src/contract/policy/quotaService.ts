import type { Pool } from '../schema/policy/pool.ts';

/** The accounts that sessions use. */
export interface QuotaService {
  /** All that were ever used, by id. */
  pools(): Pool[];
  /**
   * Tries an account again now: one job is woken as the probe, or, where it is open, all that wait.
   * Throws SvcError `not-found` for an unknown id.
   */
  openPool(id: string): Promise<Pool>;
}
