import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DiskWatch } from '../../../src/jobs/slots/diskWatch.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('the watch over free disk space');

const MB = 1024 * 1024;

/** A watch over two folders; `free` in MB, null = the reading fails, `never` = it does not answer. */
const stage = (free: Record<string, number | null | 'never'>) => {
  const clock = new SimulatedClock();
  const settings = { minFreeMb: 1000 };
  const logged: string[] = [];
  const changes: (string | null)[] = [];
  let readings = 0;
  const watch = new DiskWatch({
    folders: ['/home', '/work'],
    minFreeMb: () => settings.minFreeMb,
    async read(folder) {
      readings += 1;
      const mb = free[folder] ?? null;
      if (mb === 'never') return new Promise<number>(() => {});
      if (mb === null) throw new Error('EIO');
      return mb * MB;
    },
    clock,
    log: {
      info: (_facts: object, text: string) => logged.push(`info ${text}`),
      warn: (_facts: object, text: string) => logged.push(`warn ${text}`),
    } as never,
  });
  watch.onChange((low) => changes.push(low?.folder ?? null));
  return { clock, watch, free, settings, logged, changes, count: () => readings };
};

/** Lets the readings that are under way come to their end. */
const settleQueue = () => new Promise<void>((resolve) => setImmediate(resolve));

test('reads at the start and every 5 s, and tells of a disk that becomes low and has room again', async () => {
  const { clock, watch, free, logged, changes } = stage({ '/home': 5000, '/work': 5000 });
  await watch.start();
  assert.is(watch.reason, null);
  free['/work'] = 400;
  clock.advance(4_999);
  await settleQueue();
  assert.is(watch.low, null);
  clock.advance(1);
  await settleQueue();
  assert.is(watch.low?.folder, '/work');
  assert.match(watch.reason ?? '', 'the disk of /work has 400 MB free');
  free['/work'] = 1249;
  clock.advance(5_000);
  await settleQueue();
  assert.is(watch.low?.freeMb, 1249);
  free['/work'] = 1250;
  clock.advance(5_000);
  await settleQueue();
  assert.is(watch.low, null);
  assert.equal(changes, ['/work', null]);
  assert.equal(
    logged.map((line) => line.slice(0, 30)),
    ['warn the disk is low: the disk', 'info the disk has room again: '],
  );
});

test('a disk that cannot be read, or does not answer, stays what it was; the log reports it once', async () => {
  const { clock, watch, free, logged } = stage({ '/home': 5000, '/work': 400 });
  await watch.start();
  free['/work'] = null;
  clock.advance(5_000);
  await settleQueue();
  assert.is(watch.low?.folder, '/work');
  free['/work'] = 'never';
  clock.advance(5_000);
  await settleQueue();
  clock.advance(2_000);
  await settleQueue();
  assert.is(watch.low?.folder, '/work');
  assert.is(logged.filter((line) => line.includes('cannot be read')).length, 1);
});

test('a disk that never could be read keeps no session from starting', async () => {
  const { watch } = stage({ '/home': 5000, '/work': null });
  await watch.start();
  assert.is(watch.low, null);
});

test('another limit counts from the next reading on, and 0 ends the wait', async () => {
  const { watch, settings, changes } = stage({ '/home': 5000, '/work': 5000 });
  await watch.start();
  settings.minFreeMb = 6000;
  assert.is((await watch.check())?.folder, '/home');
  settings.minFreeMb = 0;
  assert.is(await watch.check(), null);
  assert.equal(changes, ['/home', null]);
});

test('those who ask at the same time share one reading, and after the stop none is made', async () => {
  const { clock, watch, count } = stage({ '/home': 5000, '/work': 5000 });
  await watch.start();
  await Promise.all([watch.check(), watch.check()]);
  assert.is(count(), 4);
  watch.stop();
  clock.advance(60_000);
  await settleQueue();
  assert.is(count(), 4);
});

test.run();
