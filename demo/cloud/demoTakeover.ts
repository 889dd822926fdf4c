/**
 * Takeover times of the demo's control plane. A team's own has a window of at least 30 s, and begins no takeover within
 * 2 minutes of its start: its runners may be on networks that fail for a moment. Here all of them are on this machine.
 */
export const DEMO_TAKEOVER = {
  /** Silence of a runner after which another one may continue its jobs, ms. */
  windowMs: 10_000,
  /** How long database and node must have been up, ms. */
  quietMs: 2_000,
} as const;
