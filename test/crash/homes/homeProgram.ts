import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { CloudLink } from '../../../src/cloudLink/cloudLink.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { reserveHomeId, saveHomeRecord } from '../../../src/host/backup/homeRecord.ts';
import { PairedHome } from '../../../src/host/start/homes/pairedHome.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { HomeLog } from '../../../src/kernel/sqlite/log/homeLog.ts';
import { orderChart } from '../../support/charts/orderChart.ts';
import type { HomeTask } from './homeTask.ts';

/** Another process has the home. */
const FENCED = 75;

const task: HomeTask = JSON.parse(process.argv[2] ?? '');
const { dir, url, token, homeId, carrier, history, checker } = task;

/** A line of the history that the checker reads: synchronous, so that a kill keeps what was passed. */
const record = (line: object): void =>
  appendFileSync(history, `${JSON.stringify({ pid: process.pid, at: Date.now(), ...line })}\n`);

let passed = 0;
/** A point at which the process may die. */
const pass = (point: string): void => {
  if (task.dieAt?.point !== point) return;
  passed += 1;
  if (passed === task.dieAt.count) process.kill(process.pid, 'SIGKILL');
};

const stateDb = join(dir, 'state.db');
const settings: Pick<Settings, 'home' | 'version'> & { cloud: object; paths: object } = {
  home: dir,
  version: '0.2.0',
  cloud: { url, token, name: '', labels: [], accept: null },
  paths: { stateDb, blobs: join(dir, 'blobs') },
};

await reserveHomeId(dir, { ...randomIds, next: () => homeId });
const paired = new PairedHome(
  Object.assign(Object.create(null), {
    settings,
    clock: systemClock,
    ids: randomIds,
    packageRoot: process.cwd(),
    log: silentLog,
  }),
  { readToken: () => token, checker },
);
paired.onEnd = (end) => {
  record({ ended: end.why });
  // While the state is copied, an exit would end by a signal of the driver.
  void paired.close().finally(() => process.exit(FENCED));
};
pass('claim:before');
await paired.claim();
const claimedAt = Date.now();
pass('claim:after');
const store = openStore({ file: stateDb, pid: process.pid, now: Date.now(), release: '0.2.0' });
await saveHomeRecord(dir, randomIds);
const { begin } = store.log;
store.log.begin = (log, start) => {
  record({ claimed: start.generation, claimedAt });
  const send = log.send.bind(log);
  const recorded: HomeLog = {
    get head() {
      return log.head;
    },
    get acknowledged() {
      return log.acknowledged;
    },
    async send(entry) {
      const begun = Date.now();
      await send(entry);
      record({ acknowledged: entry.n, generation: entry.generation, begun });
      return undefined;
    },
  };
  return begin(recorded, {
    ...start,
    onStep: pass,
    checkpointDue: async (write) => {
      pass('checkpoint:before');
      await start.checkpointDue(write);
      pass('checkpoint:after');
      return undefined;
    },
  });
};
await paired.begin(store);
const link = new CloudLink({
  url,
  token,
  program: '0.2.0',
  store: 1,
  homeId,
  instance: randomIds.next(),
  onOverlay: () => undefined,
  describe: () => ({
    name: 'one',
    labels: [],
    accept: 'own',
    slots: 1,
    executors: [],
    forges: [],
    repositories: [],
    webhooks: [],
    adopts: 0,
  }),
  load: () => ({ slots: 1, free: 0, state: 'running' }),
  jobs: { jobs: async () => ({ jobs: [], total: 0 }), watchJobs: () => () => undefined },
  app: { answer: () => null, token: '', secret: '' },
  webhooks: { take: async () => ({ outcome: 'taken' }), takeSenders: () => undefined },
  homeLog: () => paired.socketLog,
  lease: paired.acting.lease,
  saveToken: async () => undefined,
  onWelcome: () => undefined,
  onAdopt: async () => ({ ok: false, reason: 'It takes over no homes.' }),
  onConnection: () => undefined,
  clock: systemClock,
  random: Math.random,
  log: silentLog,
});
await paired.prepare();

const kernel = createKernel({
  screen: null,
  charts: [orderChart],
  clock: systemClock,
  store: store.durable,
  retryMs: Array.from({ length: 100 }, () => 200),
  ports: {
    'parcel.send': async (_params, { effectId, actorId }) => {
      pass('effect:before');
      const reply = await fetch(carrier, {
        method: 'POST',
        body: JSON.stringify({ effectId, order: actorId }),
      });
      if (!reply.ok) throw new Error(`the carrier answers ${reply.status}`);
      pass('effect:after');
      return { events: [{ type: 'shipped', parcel: effectId }] };
    },
  },
});
await kernel.start();
void paired.work(() => link.reconnect());
record({ started: true });

const server = createServer(async (req, res) => {
  let body = '';
  for await (const part of req) body += part;
  const answer = (status: number, value: unknown): void => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(value));
  };
  try {
    const command = body === '' ? {} : JSON.parse(body);
    if (req.url === '/submit') answer(200, await kernel.submit(command));
    else if (req.url === '/archive') answer(200, await store.archiver.archive(command.order));
    else if (req.url === '/orders')
      answer(
        200,
        store.db.all('SELECT id FROM actors ORDER BY id').map(({ id }) => ({
          id,
          state: kernel.state(String(id))?.value,
          journal: store.durable
            .journal(String(id), 0, 1_000)
            .filter(({ note }) => !note)
            .map(({ seq, event }) => ({ seq, type: event.type })),
        })),
      );
    else answer(404, {});
  } catch (error) {
    answer(503, { message: String(error) });
  }
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await kernel.stop(5_000);
  await paired.finish();
  await paired.close();
  link.close();
  store.close();
  process.exit(0);
});
