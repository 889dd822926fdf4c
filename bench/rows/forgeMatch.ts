import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { RowChange } from '../../src/contract/records/changes.ts';
import { toOwnerSends } from '../../src/forges/localForgeService.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';
import { type OpenStore, openStore } from '../../src/jobs/store/openStore.ts';
import { under } from '../figure.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const SIZES = [10, 1_000, 100_000] as const;
const PRS_PER_REPO = 100;
const ROUNDS = 9;
const EVENTS = 2_000;
const WRITTEN_AT_ONCE = 5_000;
/** Most that an event may cost with 100,000 mappings against 10; a scan costs far more. */
const FLAT = 3;

const createPrAddress = (n: number) => ({
  forge: 'github',
  repo: `acme/repo-${Math.floor(n / PRS_PER_REPO)}`,
  number: 1 + (n % PRS_PER_REPO),
});

function storeWith(file: string, mappings: number): OpenStore {
  const store = openStore({ file, pid: process.pid, now: 0 });
  const generation = store.durable.claim();
  for (let from = 0; from < mappings; from += WRITTEN_AT_ONCE) {
    const rows = Array.from(
      { length: Math.min(WRITTEN_AT_ONCE, mappings - from) },
      (_, n): RowChange => {
        const place = createPrAddress(from + n);
        const texts = {
          job_id: `job-${from + n}`,
          pr_id: `${place.repo}#${place.number}`,
          title: 'A change',
          head: 'change',
          base: 'main',
        };
        return {
          op: 'put',
          table: 'pr_mappings',
          row: { ...place, ...texts, url: '', state: 'open', work_item: null, merged_at: null },
        };
      },
    );
    void store.durable.commit({
      generation,
      actors: [],
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows,
    });
  }
  return store;
}

/** Microseconds in which an event finds its job. */
function perEvent({ rows }: OpenStore, mappings: number): number {
  const events = Array.from({ length: EVENTS }, (_, n): ProviderEvent => {
    const place = createPrAddress((n * 7_919) % mappings);
    return {
      kind: 'commented',
      ...place,
      prId: '',
      author: 'ann',
      text: '',
      url: '',
      externalId: `e${n}`,
      happenedAt: 0,
    };
  });
  const started = performance.now();
  const sends = toOwnerSends(rows, events);
  const micros = ((performance.now() - started) / EVENTS) * 1000;
  if (sends.length !== EVENTS)
    throw new Error(`${sends.length} of ${EVENTS} events have found their job`);
  return micros;
}

/** An event of a pull request finds the job that owns it, however many are mapped. */
export const forgeMatchRow: Row = {
  figures: ['forge.match', 'forge.flat'],
  async measure(lab, note) {
    const folder = lab.folder('forge');
    const stores = SIZES.map((size) => ({
      size,
      store: storeWith(join(folder, `${size}.db`), size),
      micros: [] as number[],
    }));
    try {
      for (const { store, size } of stores) perEvent(store, size);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const one of stores) one.micros.push(perEvent(one.store, one.size));
      const [few = Number.NaN, thousand = Number.NaN, many = Number.NaN] = stores.map(
        ({ micros }) => median(micros),
      );
      note(
        `per event: ${SIZES.map((size, n) => `${size} mapped ${[few, thousand, many][n]?.toFixed(1)} µs`).join(', ')}`,
      );
      return {
        'forge.match': under({ value: thousand, unit: 'µs', target: 500 }),
        'forge.flat': under({ value: many, unit: 'µs', ratio: many / few, target: FLAT }),
      };
    } finally {
      for (const { store } of stores) store.close();
    }
  },
};
