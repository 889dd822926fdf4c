// Records the lives of jobs, to be replayed by every later release:
//   node --import tsx test/histories/record.ts                 those of scenes.ts that are missing
//   node --import tsx test/histories/record.ts --again <name>  one of them once more, on purpose
//   node --import tsx test/histories/record.ts --demo <folder> the demo's: of `node
//     dist/demo/index.js --json --keep`
// What was released does not change: a history that today's chart no longer replays asks for a new
// version of the chart with a migration, not for a new recording. Recording again is for a change
// of the recording itself.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { jobChart } from '../../machines/index.ts';
import { openStore, type OpenStore } from '../../src/jobs/store/openStore.ts';
import { type History, historyNames, createHistory, writeHistory } from './history.ts';
import { scenes } from './scenes.ts';
import { perform } from './stage.ts';

const { values } = parseArgs({ options: { again: { type: 'string' }, demo: { type: 'string' } } });

/** The history of the only job of a store. */
function only(store: OpenStore, what: string): History {
  const [row] = store.actors.list({ chart: jobChart.id, limit: 1, offset: 0 }).rows;
  if (!row) throw new Error('there is no job in this store');
  const { context } = JSON.parse(row.snapshot) as { context: Record<string, unknown> };
  return createHistory(what, jobChart, store.durable.journal(row.id, 0, 1_000_000), context);
}

/** Without what belongs to the machine that it was recorded on. */
function neutral(history: History, folder: string): History {
  const tenant = String(history.context.tenantId);
  const text = JSON.stringify(history)
    .replaceAll(folder, '/demo')
    .replaceAll(tenant, 'solo-demo')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:3000');
  return JSON.parse(text) as History;
}

if (values.demo !== undefined) {
  const store = openStore({
    file: join(values.demo, 'home', 'state.db'),
    pid: process.pid,
    now: Date.now(),
  });
  const what =
    'The demo: a real repository, real agents as programs, a plan approved, a pull request reviewed and merged.';
  writeHistory('demo', neutral(only(store, what), values.demo));
  store.close();
} else {
  const known = historyNames();
  for (const scene of scenes()) {
    if (known.includes(scene.name) && values.again !== scene.name) continue;
    const { world } = await perform(scene);
    writeHistory(scene.name, only(world.store, scene.what));
    console.log(`recorded ${scene.name}`);
  }
}
