/** Every act on the world that the chart of an account may ask for: name → its input. */
export interface QuotaPorts {
  /**
   * Sends that many jobs that wait for the account back to the queue, interactive ones first, then the
   * oldest. Answers `quota.woken`. `probe`: the job is to try the account; it
   * names the one that was woken for that before, and while that waits for its turn no other is.
   */
  'quota.wake': { pool: string; jobs: number; probe?: string | null };
}

/** What the port answers with. `left`: jobs that still wait; `first`: the first that was woken. */
export interface QuotaAnswer {
  type: 'quota.woken';
  jobs: number;
  left: number;
  first?: string;
}
