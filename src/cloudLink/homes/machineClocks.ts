import { uptime } from 'node:os';
import type { LeaseClocks } from './lease.ts';

/** The clocks of this machine. Node reads the uptime of Linux from a clock that counts while it sleeps. */
export const machineClocks: LeaseClocks = {
  boot: () => uptime() * 1_000,
  monotonic: () => performance.now(),
};
