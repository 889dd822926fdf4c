import type { Clock } from '../../../base/time/clock.ts';
import { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import { RunnerRequests } from '../../../cloudLink/homes/runnerRequests.ts';

interface HomeClientParts {
  url: string;
  version: string;
  /** The newest one. */
  readToken(): string;
  clock: Clock;
}

/** Asks the control plane about the runner's own home. Throws SvcError `config-invalid` for an unsafe address. */
export const createHomeClient = (parts: HomeClientParts): HomeClient =>
  new HomeClient(new RunnerRequests({ ...parts, random: Math.random }));
