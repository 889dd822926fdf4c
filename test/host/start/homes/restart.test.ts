import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { readArrival } from '../../../../src/host/start/homes/arrival.ts';
import { readDivergedState } from '../../../../src/host/start/homes/divergedState.ts';
import { DoubleControlPlane, Refusal } from '../../../support/cloud/doubleControlPlane.ts';
import { HomeStage, type OpenHome } from '../../../support/cloud/homeStage.ts';
import { waitUntil } from '../../../support/cloud/testTeam.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite('start of a home whose log is at a control plane');

async function open() {
  const cloud = await DoubleControlPlane.open();
  const stage = new HomeStage(cloud.url);
  return {
    cloud,
    stage,
    /** A home with these orders, whose runner was killed. */
    async used(...orders: string[]): Promise<void> {
      const home = await stage.open();
      await home.run();
      for (const id of orders) await home.order(id);
      home.kill();
    },
    /** What a start finds; it is stopped in order. */
    async found(): Promise<string[]> {
      const home = await stage.open();
      await home.run();
      const { orders } = home;
      await home.stop();
      return orders;
    },
    async [Symbol.asyncDispose]() {
      await cloud.close();
      stage.remove();
    },
  };
}

/** Entries that the control plane never got: the link is cut first. */
async function orderAlone(home: OpenHome, id: string): Promise<void> {
  home.link?.close();
  void home.order(id);
  await waitUntil(() => home.orders.includes(id));
}

/** More than the claims of others that a start puts up with. */
const MANY_LOOKS = 15;

test('a new home has its log from its first change on, and continues after a kill', async () => {
  await using at = await open();
  await at.used('a');
  assert.ok(at.cloud.entries.length > 0);
  const second = await at.stage.open();
  await second.run();
  assert.equal(second.orders, ['a']);
  await second.order('b');
  await second.stop();
});

test('an empty disk takes everything from the control plane, entry by entry', async () => {
  await using at = await open();
  await at.used('a', 'b', 'c', 'd', 'e');
  at.stage.loseState();
  assert.equal(await at.found(), ['a', 'b', 'c', 'd', 'e']);
});

test('an empty disk takes a checkpoint, and the entries after it', async () => {
  await using at = await open();
  const first = await at.stage.open();
  await first.run();
  await first.order('a');
  await first.stop();
  await at.used('b');
  const { checkpoint } = at.cloud;
  assert.ok(checkpoint !== null && checkpoint.n < at.cloud.head.n);
  // Only the checkpoint can be the beginning.
  at.cloud.entriesAfter = checkpoint.n;
  at.stage.loseState();
  assert.equal(await at.found(), ['a', 'b']);
});

test('a home is moved with nothing but its token', async () => {
  await using at = await open();
  await at.used('a');
  const elsewhere = new HomeStage(at.cloud.url, 'another id of its own');
  try {
    const home = await elsewhere.open();
    await home.run();
    assert.equal(home.orders, ['a']);
    assert.is(JSON.parse(readFileSync(join(elsewhere.dir, 'home.json'), 'utf8')).id, 'home1');
    await home.stop();
  } finally {
    elsewhere.remove();
  }
});

test('entries that no one had acknowledged are sent again under the new claim', async () => {
  await using at = await open();
  const first = await at.stage.open();
  await first.run();
  await first.order('a');
  await orderAlone(first, 'b');
  first.kill();
  const head = at.cloud.head.n;
  const second = await at.stage.open();
  await waitUntil(() => at.cloud.head.n > head);
  assert.is(at.cloud.entries.at(-1)?.generation, second.paired?.socketLog?.generation);
  await second.run();
  assert.equal(second.orders, ['a', 'b']);
  second.kill();
  at.stage.loseState();
  assert.equal(await at.found(), ['a', 'b']);
});

test('an entry that was stored without an answer counts once', async () => {
  await using at = await open();
  const first = await at.stage.open();
  await first.run();
  at.cloud.isMute = true;
  void first.order('a');
  await waitUntil(() => at.cloud.head.n > 0);
  first.kill();
  at.cloud.isMute = false;
  const { length } = at.cloud.entries;
  assert.equal(await at.found(), ['a']);
  const ns = at.cloud.entries.map(({ n }) => n);
  assert.equal(ns, [...new Set(ns)]);
  assert.ok(at.cloud.entries.length >= length);
});

test('a file that another claim has overtaken is put aside, and nothing of it is used', async () => {
  await using at = await open();
  await at.used('a');
  const first = await at.stage.open();
  await first.run();
  await orderAlone(first, 'mine');
  first.kill();
  const elsewhere = new HomeStage(at.cloud.url);
  const other = await elsewhere.open();
  await other.run();
  await other.order('theirs');
  other.kill();
  elsewhere.remove();
  assert.equal(await at.found(), ['a', 'theirs']);
  const [aside = ''] = at.stage.listAside();
  assert.match(aside, /^state\.db\.diverged-\d+$/);
  assert.ok(at.stage.lines.some(([level, , facts]) => level === 'warn' && 'aside' in facts));
});

test('a home that comes back knows how far its jobs were before another machine had them', async () => {
  await using at = await open();
  await at.used('a', 'b');
  mkdirSync(join(at.stage.dir, 'work', 'a'), { recursive: true });
  assert.equal(readArrival(at.stage.dir), null);
  const elsewhere = new HomeStage(at.cloud.url);
  const other = await elsewhere.open();
  await other.run();
  await other.order('theirs');
  other.kill();
  elsewhere.remove();
  await at.found();
  assert.equal(readArrival(at.stage.dir)?.jobs, { a: 1 });
});

test('a database of yesterday does not take back what it had acknowledged: a person decides', async () => {
  await using at = await open();
  await at.used('a');
  const yesterday = at.cloud.save();
  await at.used('b');
  at.cloud.restore(yesterday);
  const refused = await catchRefusal(() => at.stage.open());
  assert.is(refused.code, 'store-failed');
  assert.is(refused.data.reason, 'diverged');
  assert.match(at.stage.listAside()[0] ?? '', /^state\.db\.diverged-\d+$/);
  assert.ok(readDivergedState(at.stage.dir) !== null);
  // The control plane knows it: no other runner takes the home meanwhile.
  assert.equal(at.cloud.diverged, [refused.data.n]);
  // Neither does the next start decide it, although the file is not in its place any more.
  assert.is((await catchRefusal(() => at.stage.open())).data.reason, 'diverged');
});

test('a control plane without any log of a home that had one is not filled again', async () => {
  await using at = await open();
  await at.used('a', 'b', 'c');
  at.cloud.home = null;
  at.cloud.entries = [];
  assert.is((await catchRefusal(() => at.stage.open())).data.reason, 'diverged');
});

test('an entry with a changed byte is refused by its number', async () => {
  await using at = await open();
  await at.used('a', 'b', 'c');
  const [, , damaged] = at.cloud.entries;
  damaged?.body.fill(1, 12, 13);
  at.stage.loseState();
  const refused = await catchRefusal(() => at.stage.open());
  assert.equal([refused.code, refused.data.entry], ['store-failed', damaged?.n]);
});

test('a missing entry is refused by its number', async () => {
  await using at = await open();
  await at.used('a', 'b', 'c');
  const [missingEntry] = at.cloud.entries.splice(1, 1);
  at.stage.loseState();
  const refused = await catchRefusal(() => at.stage.open());
  assert.equal([refused.code, refused.data.entry], ['store-failed', missingEntry?.n]);
});

test('a checkpoint with a changed byte is refused, and what was fetched is thrown away', async () => {
  await using at = await open();
  const first = await at.stage.open();
  await first.run();
  await first.order('a');
  await first.stop();
  const { checkpoint } = at.cloud;
  at.cloud.entriesAfter = checkpoint?.n ?? 0;
  const bytes = at.cloud.stored.get(checkpoint?.n ?? 0) ?? Buffer.alloc(0);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  at.stage.loseState();
  assert.is((await catchRefusal(() => at.stage.open())).code, 'store-failed');
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  assert.equal(await at.found(), ['a']);
});

test('a start waits for a control plane that is away, and writes nothing meanwhile', async () => {
  await using at = await open();
  await at.used('a');
  const before = readFileSync(at.stage.stateDb);
  at.cloud.isAway = true;
  const starting = at.stage.open();
  await waitUntil(() => at.stage.lines.some(([level]) => level === 'warn'));
  assert.ok(readFileSync(at.stage.stateDb).equals(before));
  at.cloud.isAway = false;
  const home = await starting;
  await home.run();
  assert.equal(home.orders, ['a']);
  await home.stop();
});

test('commits wait while the control plane is away, and are answered when it is back', async () => {
  await using at = await open();
  const home = await at.stage.open();
  await home.run();
  at.cloud.isAway = true;
  at.cloud.cut();
  let isAnswered = false;
  const ordered = home.order('a').then(() => {
    isAnswered = true;
  });
  await waitUntil(() => home.orders.includes('a'));
  assert.is(isAnswered, false);
  assert.ok((home.paired?.status.unsent.entries ?? 0) > 0);
  at.cloud.isAway = false;
  await ordered;
  assert.is(home.paired?.status.unsent.entries, 0);
  await home.stop();
});

test('a home that another runner has is refused with its name', async () => {
  await using at = await open();
  await at.used('a');
  at.cloud.holder = { runner: 'r2', name: 'pool-2', since: null };
  const refused = await catchRefusal(() => at.stage.open());
  assert.is(refused.code, 'home-claimed');
  assert.equal(refused.data.holder, at.cloud.holder);
});

test('a start waits until the process that had the home may not act any more', async () => {
  await using at = await open();
  await at.used('a');
  at.cloud.leaseUntil = new Date(Date.now() + 2_500).toISOString();
  at.stage.loseState();
  assert.equal(await at.found(), ['a']);
  assert.ok(at.stage.lines.some(([level, , facts]) => level === 'warn' && 'until' in facts));
});

test('a start that often finds the other process still connected waits, and does not give up', async () => {
  await using at = await open();
  await at.used('a');
  let looks = 0;
  at.cloud.onRequest = (request) => {
    if (request !== 'POST /runner/home/claim' || looks === MANY_LOOKS) return;
    looks += 1;
    throw new Refusal('lease-running', { until: new Date(Date.now() + 20).toISOString() });
  };
  at.stage.loseState();
  assert.equal(await at.found(), ['a']);
  assert.is(looks, MANY_LOOKS);
});

test('a log without an entry is claimed by an empty disk too, after the wait for the process that began it', async () => {
  await using at = await open();
  const first = await at.stage.open();
  first.kill();
  at.cloud.entries.length = 0;
  at.stage.loseState();
  let looks = 0;
  at.cloud.onRequest = (request) => {
    if (request !== 'POST /runner/home/claim' || looks === 1) return;
    looks += 1;
    throw new Refusal('lease-running', { until: new Date(Date.now() + 20).toISOString() });
  };
  const second = await at.stage.open();
  const isClaimed = second.paired?.isClaimed;
  await second.stop();
  // Otherwise it would work without the control plane until that had a copy.
  assert.is(isClaimed, true);
});

test('an older program says which version wrote the log, and changes nothing', async () => {
  await using at = await open();
  await at.used('a');
  if (at.cloud.home !== null) at.cloud.home.storeVersion += 1;
  const before = readFileSync(at.stage.stateDb);
  const refused = await catchRefusal(() => at.stage.open());
  assert.is(refused.code, 'conflict');
  assert.is(refused.data.storeVersion, at.cloud.home?.storeVersion);
  assert.ok(readFileSync(at.stage.stateDb).equals(before));
});

test('a home with another id than that of the log is refused', async () => {
  await using at = await open();
  await at.used('a');
  writeFileSync(
    join(at.stage.dir, 'home.json'),
    JSON.stringify({ id: 'copy', path: at.stage.dir }),
  );
  const refused = await catchRefusal(() => at.stage.open());
  assert.ok(refused instanceof SvcError);
  assert.is(refused.code, 'store-failed');
  assert.equal(at.stage.listAside(), []);
});

test.run();
