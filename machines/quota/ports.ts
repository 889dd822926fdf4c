/** Every act on the world that the chart of an account may ask for: name → its input. */
export interface QuotaPorts {
  /**
   * Wakes that many jobs that wait for the account, interactive ones first, then the oldest.
   * Answers `quota.woken`. `probe`: one job tries the account; it names the job woken before, and
   * no other is woken while that one waits for its turn.
   */
  'quota.wake': { pool: string; jobs: number; probe?: string | null };
}

/** The port's answer. `left`: jobs that still wait; `first`: the first one woken. */
export interface QuotaAnswer {
  type: 'quota.woken';
  jobs: number;
  left: number;
  first?: string;
}
