import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { orderChart } from '../charts/orderChart.ts';
import { WRITER } from '../writer.ts';

/**
 * A kernel that gets waves of events, in the folder that is its argument. It prints `taken` with the
 * actors of each batch that the thread is about to have, and `answered` with each event's
 * actor, as `<actor>:<seq>`.
 */
const ACTORS = 96;
const WAVES = 6;

let batchNow = '';
const say = (text: string) => writeSync(1, `${text}\n`);
const store = openStore({
  file: join(process.argv[2] ?? '', 'state.db'),
  pid: process.pid,
  now: 0,
  commits: {
    place: 'thread',
    onHandOver: () => say(`taken ${batchNow}`),
  },
  thread: WRITER,
});
const commit = store.durable.commit.bind(store.durable);
store.durable.commit = (batch, overlap) => {
  batchNow = batch.actors.map(({ id, seq }) => `${id}:${seq}`).join(' ');
  return commit(batch, overlap);
};
const kernel = createKernel({
  screen: null,
  store: store.durable,
  charts: [orderChart],
  ports: { 'parcel.send': async () => {} },
  clock: systemClock,
});
await kernel.start();
const ids = Array.from({ length: ACTORS }, (_, n) => `order-${n}`);
await kernel.submit({
  starts: ids.map((id) => ({ chart: orderChart.id, id, input: { id, price: 5 } })),
});
await Promise.all(
  ids.map(async (id) => {
    for (let wave = 0; wave < WAVES; wave++) {
      const reply = await kernel.send(id, { type: 'grow', bytes: wave });
      if (reply.accepted) say(`answered ${id}:${reply.seq}`);
    }
  }),
);
await kernel.stop(0);
store.close();
