import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Adopter,
  chooseAdopter,
  type LostHome,
} from '../../../src/cloud/homes/chooseAdopter.ts';

const test = suite('cloud: who continues the home of a lost runner');

const HOME: LostHome = {
  runnerId: 'lost',
  ownerId: 'ada',
  state: 'open',
  policy: 'auto',
  storeVersion: 3,
  isConnected: false,
  isRevoked: false,
  isAhead: false,
  mayBeAhead: false,
  isAsked: false,
  jobs: 2,
  jobsInSession: 1,
  mayLackJobs: false,
  executors: ['claude'],
  forges: ['github'],
  isOffered: false,
  awayMs: 20_000,
  patienceMs: 15_000,
};

const toAdopter = (id: string, more: Partial<Adopter> = {}): Adopter => ({
  id,
  ownerId: null,
  accept: 'team',
  isConnected: true,
  isRunning: true,
  storeVersion: 3,
  adopted: 0,
  adopts: 1,
  free: 1,
  executors: ['claude'],
  forges: ['github'],
  hasRefused: false,
  ...more,
});

const ANY = [toAdopter('any')];
const choose = (home: Partial<LostHome>, adopters: readonly Adopter[] = ANY): string => {
  const choice = chooseAdopter({ ...HOME, ...home }, adopters);
  return choice.kind === 'offer' ? `offer ${choice.runnerId}` : choice.reason;
};

const HOMES: readonly (readonly [title: string, home: Partial<LostHome>, outcome: string])[] = [
  ['one that is lost is offered', {}, 'offer any'],
  ['of a runner that is connected', { isConnected: true }, 'connected'],
  ['of a revoked runner', { isRevoked: true }, 'revoked'],
  ['without a job that is not over', { jobs: 0 }, 'no-jobs'],
  ['without a job in the list, which may lack one', { jobs: 0, mayLackJobs: true }, 'offer any'],
  ['whose checkpoint is not complete', { state: 'seeding' }, 'seeding'],
  ['whose runner has more than the log', { isAhead: true }, 'ahead'],
  ['whose runner was not back since the database was restored', { mayBeAhead: true }, 'restored'],
  ['not back, and a person asked for it', { mayBeAhead: true, isAsked: true }, 'offer any'],
  ['ahead, without a job in the list', { isAhead: true, jobs: 0 }, 'ahead'],
  ['ahead, though a person asked for it', { isAhead: true, isAsked: true }, 'ahead'],
  ['that is never continued', { policy: 'never' }, 'never'],
  ['never, but a person asked for it', { policy: 'never', isAsked: true }, 'offer any'],
  ['never, but given up on purpose', { policy: 'never', state: 'released' }, 'offer any'],
  ['parked, with a job in a session', { policy: 'parked' }, 'in-session'],
  ['parked, with none in a session', { policy: 'parked', jobsInSession: 0 }, 'offer any'],
  ['parked, but a person asked for it', { policy: 'parked', isAsked: true }, 'offer any'],
  ['parked, whose adopter is lost', { policy: 'parked', state: 'adopted' }, 'offer any'],
  ['whose runner may come back', { awayMs: 14_999 }, 'lease'],
  ['released, without a wait', { awayMs: 0, state: 'released' }, 'offer any'],
  ['that a runner was asked for', { isOffered: true }, 'asked'],
];

for (const [title, home, outcome] of HOMES)
  test(`a home ${title}: ${outcome} (RUN-5)`, () => assert.is(choose(home), outcome));

const WILLING: readonly (readonly [title: string, adopter: Partial<Adopter>, outcome: string])[] = [
  ['takes the dispatches of the team', {}, 'offer one'],
  [
    "takes its owner's alone, and is the same person's",
    { accept: 'own', ownerId: 'ada' },
    'offer one',
  ],
  ["takes its owner's alone, and is another's", { accept: 'own', ownerId: 'ben' }, 'not-accepted'],
  ['takes none', { accept: 'none' }, 'not-accepted'],
  ['is away', { isConnected: false }, 'no-runner'],
  ['is stopping', { isRunning: false }, 'no-runner'],
  ['has an older schema', { storeVersion: 2 }, 'runner-too-old'],
  ['has a newer schema', { storeVersion: 4 }, 'offer one'],
  ['has refused it', { hasRefused: true }, 'refused'],
  ['continues as many homes as it would', { adopted: 1 }, 'no-slot'],
  ['continues none at all', { adopts: 0 }, 'no-runner'],
  ['lacks an executor and a forge', { executors: [], forges: [] }, 'offer one'],
  ['has no free slot: a home has one of its own', { free: 0 }, 'offer one'],
];

for (const [title, adopter, outcome] of WILLING)
  test(`a runner that ${title}: ${outcome} (RUN-5)`, () =>
    assert.is(choose({}, [toAdopter('one', adopter)]), outcome));

test('a home of the pool goes to no machine that takes its owner alone (RUN-5)', () => {
  const own = toAdopter('own', { accept: 'own', ownerId: null });
  assert.is(choose({ ownerId: null }, [own]), 'not-accepted');
});

test('a lost runner does not continue its own home for itself (RUN-5)', () => {
  assert.is(choose({}, [toAdopter('lost')]), 'no-runner');
});

const PREFERRED: readonly (readonly [title: string, better: Partial<Adopter>])[] = [
  ['with every executor', { executors: ['claude', 'acp'] }],
  ['of the same owner', { ownerId: 'ada', executors: ['claude'] }],
  ['with more free slots', { free: 5, executors: ['claude'] }],
];

for (const [title, better] of PREFERRED)
  test(`one ${title} is preferred (RUN-5)`, () => {
    const worse = toAdopter('a', title.includes('executor') ? { executors: ['command'] } : {});
    assert.is(choose({}, [worse, toAdopter('b', better)]), 'offer b');
  });

test('one that continues fewer homes is preferred; then the order of ids decides (RUN-5)', () => {
  const busy = toAdopter('a', { adopted: 1, adopts: 4, free: 9 });
  assert.is(choose({}, [busy, toAdopter('b', { adopts: 4 })]), 'offer b');
  assert.is(choose({}, [toAdopter('d'), toAdopter('c')]), 'offer c');
});

test.run();
