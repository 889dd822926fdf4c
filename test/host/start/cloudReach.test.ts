import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ActingHome } from '../../../src/cloudLink/homes/actingHome.ts';
import { AWAY_AFTER_MS } from '../../../src/contract/schema/runner/cloudStatus.ts';
import type { HomeLogStatus } from '../../../src/host/start/homes/pairedHomeOptions.ts';
import { CloudReach } from '../../../src/host/start/cloudReach.ts';
import { codeOfRefusal } from '../../support/refusal.ts';
import { createEntry, HeldLog } from '../../support/standIns/heldLog.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('what a runner says of its control plane');

const openReach = (state: HomeLogStatus['state'] = 'logged') => {
  const clock = new SimulatedClock();
  const acting = new ActingHome(clock);
  const log = new HeldLog();
  const store = acting.hold(log);
  const home = { status: { state }, acting };
  const reach = new CloudReach({ clock, home: () => home, countWaiting: () => 3 });
  reach.connectionIs('connected', null);
  return { clock, log, store, reach, acting, iso: () => new Date(clock.now()).toISOString() };
};

for (const [state, place] of [
  ['local', 'runner'],
  ['seeding', 'seeding'],
  ['logged', 'replicated'],
] as const)
  test(`a home that is ${state} has its state at: ${place}`, () => {
    const { place: statePlace } = openReach(state).reach.describe().state;
    assert.is(statePlace, place);
  });

test('an entry that waits for ten seconds means that the control plane is away, since it was sent', () => {
  const { clock, store, reach, iso } = openReach();
  const since = iso();
  void store.send(createEntry(1));
  clock.advance(AWAY_AFTER_MS - 1);
  assert.is(reach.describe().state.place, 'replicated');
  clock.advance(1);
  assert.equal(reach.describe().state, { place: 'waiting', changes: 3, since });
});

test('a lost connection means it too, since it was lost and not since the last attempt', () => {
  const { clock, reach, iso } = openReach();
  clock.advance(5_000);
  const since = iso();
  reach.connectionIs('connecting', 'The connection broke.');
  clock.advance(9_000);
  reach.connectionIs('connecting', 'It is refused.');
  clock.advance(1_000);
  const { state, problem } = reach.describe();
  assert.equal([state.place, state.since, problem], ['waiting', since, 'It is refused.']);
});

test('it is back with the acknowledgement', async () => {
  const { clock, log, store, reach } = openReach();
  const delivery = store.send(createEntry(1));
  clock.advance(AWAY_AFTER_MS);
  log.acknowledge();
  await delivery;
  assert.is(reach.getAwaySince(), null);
});

for (const state of ['local', 'seeding'] as const)
  test(`a home that is ${state} waits for nothing: its writes go out, and nothing is refused`, () => {
    const { clock, reach } = openReach(state);
    reach.connectionIs('connecting', null);
    clock.advance(60_000);
    assert.equal([reach.getAwaySince(), reach.mayAct()], [null, undefined]);
  });

test('a home in the control plane acts only with a lease', async () => {
  const { reach, acting } = openReach();
  assert.ok(reach.mayAct() instanceof Promise);
  acting.lease.renew(acting.lease.mark(), 60_000);
  assert.is(reach.mayAct(), undefined);
});

test('nothing goes out of a home that another runner continues, whatever its lease says', async () => {
  const { reach, acting } = openReach();
  acting.lease.renew(acting.lease.mark(), 60_000);
  reach.end('pool-1');
  assert.is(await codeOfRefusal(() => reach.mayAct()), 'home-claimed');
});

test.run();
