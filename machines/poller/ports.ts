export interface PollOutcome {
  /** Epoch ms before which the forge accepts no requests; null = no such limit. */
  notBefore: number | null;
}

export interface PollerPorts {
  /** Polls the forge once. A rejection counts as a failed poll; the chart backs off. */
  poll(): Promise<PollOutcome>;
  /** Epoch ms. */
  now(): number;
  /** At least 0, below 1. */
  random(): number;
}
