import type { TakeoverPolicy } from '../../contract/schema/cloud/home.ts';

/** A home whose runner may be lost, with what decides whether another one continues it. */
export interface LostHome {
  runnerId: string;
  /** Whose machine its runner is; null = a runner of the pool. */
  ownerId: string | null;
  state: 'seeding' | 'open' | 'released' | 'adopted';
  policy: TakeoverPolicy;
  storeVersion: number;
  isConnected: boolean;
  isRevoked: boolean;
  /** The control plane does not have its newest state. */
  isAhead: boolean;
  /** The database was restored, and it is not known yet whether the runner has newer entries. */
  mayBeAhead: boolean;
  /** A person lets another runner continue it, whatever the policy. */
  isAsked: boolean;
  jobs: number;
  jobsInSession: number;
  /** It was written right before its loss, by a version that sends the list later: it may lack the newest job. */
  mayLackJobs: boolean;
  /** What the lost runner had. */
  executors: readonly string[];
  forges: readonly string[];
  /** A runner is preparing to continue it. */
  isOffered: boolean;
  /** How long it has been away, and of that how long it is left to come back, ms. */
  awayMs: number;
  patienceMs: number;
}

/** A runner that may continue it. */
export interface Adopter {
  id: string;
  ownerId: string | null;
  accept: 'own' | 'team' | 'none';
  isConnected: boolean;
  isRunning: boolean;
  storeVersion: number;
  /** How many homes of others it continues, and would at most. */
  adopted: number;
  adopts: number;
  free: number;
  executors: readonly string[];
  forges: readonly string[];
  /** It has refused this home a short time ago. */
  hasRefused: boolean;
}

export type AdopterChoice =
  | { kind: 'offer'; runnerId: string }
  /** Why no runner continues it now. */
  | { kind: 'wait'; reason: string };

const wait = (reason: string): AdopterChoice => ({ kind: 'wait', reason });

/** What of the home alone stands against a takeover; null = nothing. */
function findObstacle(home: LostHome): string | null {
  const { state, policy, isAsked } = home;
  if (home.isRevoked) return 'revoked';
  if (home.isConnected) return 'connected';
  // Also without a job: the newest ones may be missing from the list.
  if (home.isAhead) return 'ahead';
  if (home.jobs === 0 && !home.mayLackJobs) return 'no-jobs';
  if (state === 'seeding') return 'seeding';
  if (home.mayBeAhead && !isAsked) return 'restored';
  // Given up on purpose, or continued by another runner already, which is lost now.
  const isFree = isAsked || state === 'released' || state === 'adopted';
  if (!isFree && policy === 'never') return 'never';
  if (!isFree && policy === 'parked' && home.jobsInSession > 0) return 'in-session';
  if (state !== 'released' && home.awayMs < home.patienceMs) return 'lease';
  return home.isOffered ? 'asked' : null;
}

/** As for a dispatch of the home's owner; homes of the pool are everyone's. */
const accepts = ({ accept, ownerId }: Adopter, home: LostHome): boolean =>
  accept === 'team' || (accept === 'own' && ownerId !== null && ownerId === home.ownerId);

const countMissing = (wantedLabels: readonly string[], has: readonly string[]): number =>
  wantedLabels.filter((name) => !has.includes(name)).length;

/** The runner that is asked to continue a home, or the first thing that stands against it. */
export function chooseAdopter(home: LostHome, runners: readonly Adopter[]): AdopterChoice {
  const obstacle = findObstacle(home);
  if (obstacle !== null) return wait(obstacle);
  const others = runners.filter(({ id, adopts }) => id !== home.runnerId && adopts > 0);
  if (others.length === 0) return wait('no-runner');
  const willing = others.filter((one) => accepts(one, home));
  if (willing.length === 0) return wait('not-accepted');
  const connectedAdopters = willing.filter((one) => one.isConnected && one.isRunning);
  if (connectedAdopters.length === 0) return wait('no-runner');
  const modern = connectedAdopters.filter((one) => one.storeVersion >= home.storeVersion);
  if (modern.length === 0) return wait('runner-too-old');
  const open = modern.filter((one) => !one.hasRefused);
  if (open.length === 0) return wait('refused');
  const missing = (one: Adopter): number =>
    countMissing(home.executors, one.executors) + countMissing(home.forges, one.forges);
  const [best] = open
    .filter(({ adopted, adopts }) => adopted < adopts)
    .sort(
      (one, other) =>
        missing(one) - missing(other) ||
        // The same person's machine has what the job's repositories need.
        Number(other.ownerId === home.ownerId) - Number(one.ownerId === home.ownerId) ||
        one.adopted - other.adopted ||
        other.free - one.free ||
        (one.id < other.id ? -1 : 1),
    );
  return best === undefined ? wait('no-slot') : { kind: 'offer', runnerId: best.id };
}
