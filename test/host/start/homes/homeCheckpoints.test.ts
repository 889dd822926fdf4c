import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HomeCheckpoints } from '../../../../src/host/start/homes/homeCheckpoints.ts';
import { systemClock } from '../../../../src/base/time/clock.ts';

const test = suite<{ folder: string }>('copies of a home at its control plane');

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-copies-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

/** `copies`: numbers of those that the control plane has. */
function createCheckpoints(folder: string, copies: number[] = []): HomeCheckpoints {
  let n = 0;
  return new HomeCheckpoints({
    client: {
      listParts: async () => new Map(),
      putPart: async () => undefined,
      completeCheckpoint: async (at) => {
        copies.push(at);
      },
    },
    async makeCopy() {
      n += 1;
      const file = join(folder, `copy-${n}`);
      await writeFile(file, 'state');
      return { file, n, hash: 'a'.repeat(64), storeVersion: 1 };
    },
    socketLog: { waitFor: async () => true },
    patience: { signal: new AbortController().signal },
    clock: systemClock,
    log: { info: () => undefined, error: () => undefined },
  });
}

test('who waited for a copy can ask for the next one at once', async ({ folder }) => {
  const copies: number[] = [];
  const checkpoints = createCheckpoints(folder, copies);
  await checkpoints.upload().then(() => checkpoints.upload());
  assert.equal(copies, [1, 2]);
});

for (const { entries, bytes, atStop, atHandOver } of [
  { entries: 0, bytes: 0, atStop: false, atHandOver: false },
  { entries: 200, bytes: 400_000, atStop: true, atHandOver: false },
  { entries: 201, bytes: 400_000, atStop: true, atHandOver: true },
  { entries: 1, bytes: 2_000_000, atStop: true, atHandOver: true },
])
  test(`after ${entries} entries of ${bytes} bytes a stop needs a copy: ${atStop}; a hand-over: ${atHandOver}`, ({
    folder,
  }) => {
    const checkpoints = createCheckpoints(folder);
    checkpoints.noteAcknowledged(entries, bytes);
    assert.is(checkpoints.needsCopy(false), atStop);
    assert.is(checkpoints.needsCopy(true), atHandOver);
  });

test.run();
