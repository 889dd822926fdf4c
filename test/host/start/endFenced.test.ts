import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { MARKER_VARIABLE } from '../../../src/executors/process/processTable.ts';
import { readFencedNote, removeFencedNote } from '../../../src/host/config/home/fencedNote.ts';
import { endFenced } from '../../../src/host/start/endFenced.ts';
import { toMarkerPrefix } from '../../../src/sessions/open/sessionRequest.ts';

const test = suite('a runner whose jobs another one continues');

const openHome = () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-fenced-'));
  const steps: unknown[] = [];
  const fenced = {
    log: silentLog,
    clock: systemClock,
    settings: { home },
    process: {
      stop: () => void steps.push('stop'),
      end: (code: number) => void steps.push(code),
      restart: () => Promise.reject(new Error('not asked')),
    },
    closeHome: () => Promise.resolve(),
  };
  return { home, steps, fenced, remove: () => rmSync(home, { recursive: true, force: true }) };
};

test('it ends the programs of its sessions, then itself with code 11; those of other homes run on', async () => {
  const { home, steps, fenced, remove } = openHome();
  const start = (marker: string) =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, [MARKER_VARIABLE]: marker },
      detached: true,
      stdio: 'ignore',
    });
  const own = start(`${toMarkerPrefix(home)}job/1.1`);
  const other = start(`${toMarkerPrefix(`${home}-other`)}job/1.1`);
  await Promise.all([once(own, 'spawn'), once(other, 'spawn')]);
  const exit = once(own, 'exit');
  await endFenced(fenced, 'pool-1');
  await exit;
  assert.equal([steps, other.exitCode, other.signalCode], [[11], null, null]);
  other.kill('SIGKILL');
  await once(other, 'exit');
  remove();
});

test('it writes down who has the jobs before anything else, and until they are its own again', async () => {
  const { home, fenced, remove } = openHome();
  let noted: unknown;
  const endSessions = async () => {
    noted = (await readFencedNote(home))?.name;
  };
  await endFenced({ ...fenced, endSessions }, 'pool-1');
  assert.is(noted, 'pool-1');
  await removeFencedNote(home);
  assert.is(await readFencedNote(home), null);
  remove();
});

test('it does not end while the state is being copied, which would end it by a signal instead', async () => {
  const { steps, fenced, remove } = openHome();
  const copying = createDeferred<undefined>();
  const closeHome = () => copying.promise;
  const endRequest = createDeferred<undefined>();
  const endSessions = async () => endRequest.resolve(undefined);
  const ending = endFenced({ ...fenced, closeHome, endSessions }, 'pool-1');
  await endRequest.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(steps, []);
  copying.resolve(undefined);
  await ending;
  assert.equal(steps, [11]);
  remove();
});

test('it ends also where the programs cannot be ended, and the folder cannot be written', async () => {
  const { steps, fenced, remove } = openHome();
  remove();
  await endFenced({ ...fenced, endSessions: () => Promise.reject(new Error('no table')) }, null);
  assert.equal(steps, [11]);
});

test.run();
