import { cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { isStateHeld } from '../../../src/kernel/sqlite/inspectStore.ts';
import { jobChart } from '../../../machines/index.ts';

const test = suite('whether a process holds the state');

/** The files of a state whose process was killed: its log was not written back. */
function killedState(): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-held-'));
  const killed = mkdtempSync(join(tmpdir(), 'svc-killed-'));
  const store = openStore({ file: join(dir, 'state.db'), pid: 1, now: 0, charts: [jobChart.id] });
  store.durable.claim();
  for (const name of readdirSync(dir))
    if (!name.endsWith('-shm') && name !== 'runner.lock.json')
      cpSync(join(dir, name), join(killed, name));
  store.close();
  return join(killed, 'state.db');
}

test('the question does not leave the state of a killed process locked for the one that asks', () => {
  for (let round = 0; round < 5; round++) {
    const file = killedState();
    assert.is(isStateHeld(file), false);
    const store = openStore({ file, pid: 1, now: 0 });
    assert.is(isStateHeld(file), true);
    store.close();
    assert.is(isStateHeld(file), false);
  }
});

test.run();
