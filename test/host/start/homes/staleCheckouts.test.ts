import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../../../src/base/system/ids/ids.ts';
import { systemClock } from '../../../../src/base/time/clock.ts';
import { isAsideName } from '../../../../src/jobs/workspace/cleanup/jobFolder.ts';
import { hasArrived, readArrival } from '../../../../src/host/start/homes/arrival.ts';
import {
  noteArrival,
  putStaleCheckoutsAside,
} from '../../../../src/host/start/homes/staleCheckouts.ts';
import type { JournalRow } from '../../../../src/kernel/writer.ts';
import { folderWith } from '../../../support/intelligenceFolder.ts';

const test = suite('checkouts of a home that comes back from another machine');

const JOB = 'shop-job-1';

/** A home whose job had its checkout here when its journal had one row, and the rows that came since. */
function openHome(...events: ({ type: string } & Record<string, unknown>)[]) {
  const home = folderWith({});
  const jobDir = join(home, 'work', JOB);
  for (const name of ['shop/.git', '_intelligence', '_sessions/1.1', 'home'])
    mkdirSync(join(jobDir, name), { recursive: true });
  writeFileSync(join(jobDir, 'shop', 'open.txt'), 'open');
  writeFileSync(
    join(home, 'arrival.json'),
    JSON.stringify({ at: '2026-01-01T00:00:00.000Z', jobs: { [JOB]: 1 } }),
  );
  const rows = [{ type: 'phase.prepared' }, ...events].map(
    (event, index): JournalRow => ({
      actor: JOB,
      seq: index + 1,
      at: 0,
      event,
      path: [],
      effects: [],
      note: false,
    }),
  );
  const lines: object[] = [];
  const parts = {
    settings: { home, paths: { workingDir: join(home, 'work'), stateDb: join(home, 'state.db') } },
    ids: randomIds,
    clock: systemClock,
    log: { ...console, warn: (facts: object) => void lines.push(facts) },
  };
  const store = {
    durable: { journal: (_: string, after: number) => rows.filter(({ seq }) => seq > after) },
  };
  return {
    home,
    jobDir,
    lines,
    begin: () => putStaleCheckoutsAside(parts as never, store),
    arrive: () => noteArrival(parts, null),
    folders: () => readdirSync(jobDir).sort(),
  };
}

for (const event of [
  { type: 'phase.prepared' },
  { type: 'session.ended' },
  { type: 'kernel.recovered', effect: 'session.open' },
])
  test(`a checkout is put aside after ${event.type} elsewhere, whole, with overlay and sessions gone`, async () => {
    const { begin, folders, jobDir, lines } = openHome(event);
    await begin();
    const [aside = '', ...rest] = folders();
    assert.ok(isAsideName(aside, 'shop'));
    assert.equal(rest, ['home']);
    assert.ok(existsSync(join(jobDir, aside, 'open.txt')));
    assert.equal(lines, [{ job: JOB, aside: join(jobDir, aside) }]);
  });

test('what came without work on the job leaves the checkout as it is', async () => {
  for (const events of [
    [],
    [{ type: 'pr.merged' }, { type: 'kernel.recovered', effect: 'forge.write' }],
  ]) {
    const { begin, folders } = openHome(...events);
    await begin();
    assert.equal(folders(), ['_intelligence', '_sessions', 'home', 'shop']);
  }
});

test('it is done once: a later start keeps the clone that was made since', async () => {
  const { begin, folders, home, jobDir } = openHome({ type: 'session.ended' });
  await begin();
  mkdirSync(join(jobDir, 'shop/.git'), { recursive: true });
  await begin();
  assert.ok(folders().includes('shop'));
  assert.ok(hasArrived(home), 'jobs of other machines still have no checkout here');
});

test('a start that was killed before it looked is not forgotten by the next one', async () => {
  const { arrive, home } = openHome({ type: 'session.ended' });
  await arrive();
  assert.equal(readArrival(home)?.jobs, { [JOB]: 1 });
});

test.run();
