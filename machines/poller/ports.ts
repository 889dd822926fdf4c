/** How one poll ended. */
export interface PollOutcome {
  /** Epoch ms before which the forge wants no more requests; null = no such limit. */
  notBefore: number | null;
}

/** What the poller asks of the world, provided by the code that runs it. */
export interface PollerPorts {
  /** Asks the forge for news once. A rejection counts as a failed poll; the chart backs off. */
  poll(): Promise<PollOutcome>;
  /** Epoch ms. */
  now(): number;
  /** At least 0, below 1. */
  random(): number;
}
