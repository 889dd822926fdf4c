/** Every act on the world that the chart of a pool may ask for: name → its input. */
export interface QuotaPorts {
  /**
   * Sends that many jobs that wait for the pool back to the queue, interactive ones first, then the
   * oldest. Answers `quota.woken`.
   */
  'quota.wake': { pool: string; jobs: number };
}

/** What the port answers with. `left`: jobs that still wait. */
export interface QuotaAnswer {
  type: 'quota.woken';
  jobs: number;
  left: number;
}
