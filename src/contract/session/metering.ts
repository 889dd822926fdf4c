/** How far the runner can keep a session to caps on dollars and tokens. */
export interface Metering {
  /**
   * When its sessions report what calls of a model have used. `each-call`: after each one.
   * `each-turn`: when a turn is over, all of it at once. `never`: not at all, or it is not known.
   * Default `never`: a job that works unattended is refused under a cap on dollars or tokens.
   */
  reportsUsage?: 'each-call' | 'each-turn' | 'never';
  /**
   * No call of a model begins before the promise of `onEvent` for the report of the one before is
   * settled, so that a session that is ended meanwhile makes no further one. Only with `each-call`.
   * Default false: calls that begin until it has ended count too.
   */
  stopsBetweenCalls?: boolean;
}
