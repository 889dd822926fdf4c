import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Submission } from '../../../../src/kernel/contract.ts';
import type { Ports } from '../../../../src/kernel/port.ts';
import { readOutgoing } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import type { LogStep } from '../../../../src/kernel/sqlite/log/storeLog.ts';
import {
  compareWithFold,
  copyHome,
  type LoggedHome,
  newHomeFolder,
  startLoggedHome,
} from '../../../support/log/logStage.ts';
import { StandInCloud } from '../../../support/log/standInCloud.ts';
import { quiet, removeHome } from '../../../support/charts/orderStage.ts';

const test = suite("kills between the steps of a commit with a home's log");

/** Parcels by effect, and how often each was asked for. */
class Carrier {
  readonly parcels = new Map<string, number>();
  readonly ports: Ports = {
    'parcel.send': async (_params: unknown, { effectId }) => {
      this.parcels.set(effectId, (this.parcels.get(effectId) ?? 0) + 1);
      return { events: [{ type: 'shipped', parcel: effectId }] };
    },
  };
}

const send = (to: string, type: string, externalId: string, rest: object = {}) => ({
  to,
  event: { type, ...rest },
  source: 'shop',
  externalId,
});

/** Every kind of write; each delivery has a key, so that a client may repeat what was not answered. */
const SCRIPT: Submission[] = [
  { starts: ['a', 'b'].map((id) => ({ chart: 'order', id, input: { id, price: 5 } })) },
  { sends: [send('a', 'add', '1', { item: 'pen' }), send('b', 'add', '2', { item: 'ink' })] },
  { sends: [send('a', 'remind', '3', { afterMs: 60_000 }), send('a', 'pay', '4', { amount: 5 })] },
  { sends: [send('a', 'tell', '5', { to: 'b' })] },
  { sends: [send('a', 'ship', '6'), send('a', 'forget', '7')] },
  { sends: [send('b', 'grow', '8', { bytes: 20_000 })] },
];

const OUTCOME = {
  journals: {
    a: ['xstate.init', 'add', 'remind', 'pay', 'tell', 'ship', 'forget', 'shipped'].sort(),
    b: ['xstate.init', 'add', 'told', 'grow'].sort(),
  },
  states: ['closed', 'filling'],
  insights: 2,
  pending: [0, 0, 0],
};

const readOutcome = ({ store, kernel }: LoggedHome): unknown => ({
  journals: Object.fromEntries(
    ['a', 'b'].map((id) => [
      id,
      store.durable
        .journal(id, 0, 100)
        .filter(({ note }) => !note)
        .map(({ event }) => event.type)
        .sort(),
    ]),
  ),
  states: ['a', 'b'].map((id) => kernel.state(id)?.value),
  insights: store.rows.count('insights'),
  pending: [
    store.durable.listPendingEffects().length,
    store.durable.listPendingMail().length,
    store.durable.timers(10).length,
  ],
});

/** A moment at which the process ends: its files, what the control plane has, what was reported. */
interface Kill {
  at: string;
  dir: string;
  cloud: StandInCloud;
  answered: number;
  parcels: Map<string, number>;
}

const copyCloud = (cloud: StandInCloud): StandInCloud => {
  const copy = new StandInCloud();
  copy.entries.push(...cloud.entries);
  copy.history.push(...cloud.history);
  copy.generation = cloud.generation;
  return copy;
};

/** Plays the script once and takes a copy of everything at each step of each commit. */
async function collectKills(root: string): Promise<Kill[]> {
  const cloud = new StandInCloud();
  const carrier = new Carrier();
  const kills: Kill[] = [];
  let answered = 0;
  const dir = join(root, 'home');
  const kill = (step: LogStep | 'arrived'): void => {
    kills.push({
      at: `${step} of entry ${cloud.head.n} ±1`,
      dir: copyHome(dir, join(root, `kill-${kills.length}`)),
      cloud: copyCloud(cloud),
      answered,
      parcels: new Map(carrier.parcels),
    });
  };
  const home = await startLoggedHome(cloud, {
    dir,
    ports: carrier.ports,
    start: { onStep: kill },
    before: (log) => {
      const accept = cloud.accept.bind(cloud);
      cloud.accept = (entry) => {
        const outcome = accept(entry);
        // The control plane has it, and the runner does not know.
        kill('arrived');
        return outcome;
      };
      log.copies = 1;
    },
  });
  await home.kernel.start();
  for (const submission of SCRIPT) {
    await home.kernel.submit(submission);
    answered += 1;
  }
  await quiet(home.kernel);
  assert.equal(readOutcome(home), OUTCOME);
  home.close();
  return kills;
}

/** What every continuation must show. */
async function continueFrom(kill: Kill, dir: string): Promise<void> {
  const where = `${kill.at}, ${kill.answered} answered`;
  const carrier = new Carrier();
  const home = await startLoggedHome(kill.cloud, { dir, ports: carrier.ports });
  const { kernel, store, log } = home;
  await kernel.start();
  await quiet(kernel);
  // The client repeats everything from the first submission that was not answered.
  const answeredBefore = SCRIPT.slice(0, kill.answered);
  for (const { starts = [], sends = [] } of answeredBefore) {
    for (const { id } of starts) assert.ok(store.durable.actor(id), `${where}: ${id} is lost`);
    for (const { to, source = '', externalId = '' } of sends)
      assert.ok(store.durable.inbox(to, source, externalId), `${where}: ${externalId} is lost`);
  }
  for (const submission of SCRIPT) await kernel.submit(submission);
  await quiet(kernel);
  assert.equal(readOutcome(home), OUTCOME, where);
  assert.equal(log.refused, [], where);
  const parcels = new Set([...kill.parcels.keys(), ...carrier.parcels.keys()]);
  assert.equal([...parcels], ['a/6/0'], `${where}: parcels`);
  assert.equal(store.integrity(), [], where);
  assert.equal((await compareWithFold(home, kill.cloud.entries)).differences, [], where);
  assert.equal(
    kill.cloud.entries.map(({ n }) => n),
    kill.cloud.entries.map((_, index) => index + 1),
    where,
  );
  home.close();
}

let root: string;
let kills: Kill[];

test.before(async () => {
  root = newHomeFolder();
  kills = await collectKills(root);
});
test.after(() => removeHome(root));

test('there is a kill at every step of every commit', () => {
  const steps = new Set(kills.map(({ at }) => at.split(' ')[0]));
  assert.equal([...steps].sort(), [
    'acknowledged',
    'arrived',
    'built',
    'sent',
    'writing',
    'written',
  ]);
  assert.ok(kills.length > 30, `only ${kills.length}`);
  const ahead = kills.filter(({ cloud, at }) => at.startsWith('written') && cloud.head.n > 0);
  assert.ok(ahead.length > 3, 'no file was ahead of the control plane');
});

test('started again on its files, it loses nothing that was answered and repeats nothing (RUN-5)', async () => {
  for (const kill of kills) {
    const dir = copyHome(kill.dir, `${kill.dir}-again`);
    await continueFrom({ ...kill, cloud: copyCloud(kill.cloud) }, dir);
  }
});

test('taken over without its files, it loses nothing that was answered and repeats nothing (RUN-5)', async () => {
  for (const kill of kills)
    await continueFrom({ ...kill, cloud: copyCloud(kill.cloud) }, `${kill.dir}-other`);
});

test('when the first continues after a takeover, nothing of it is accepted', async () => {
  const cloud = new StandInCloud();
  const first = await startLoggedHome(cloud);
  await first.kernel.start();
  await first.kernel.submit(SCRIPT[0] ?? {});
  const second = await startLoggedHome(cloud);
  await second.kernel.start();
  let isAnswered = false;
  void first.kernel.submit(SCRIPT[1] ?? {}).then(() => (isAnswered = true));
  await second.kernel.submit(SCRIPT[1] ?? {});
  await quiet(second.kernel);
  assert.is(isAnswered, false);
  assert.equal(first.log.refused, ['2: fenced']);
  assert.equal(
    cloud.entries.map(({ generation }) => generation),
    [1, 2],
  );
  assert.equal(
    readOutgoing(first.store.db).map(({ n, generation }) => [n, generation]),
    [[2, 1]],
  );
  for (const home of [first, second]) {
    home.close();
    removeHome(home.dir);
  }
});

test.run();
