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

test('who waited for a copy can ask for the next one at once', async ({ folder }) => {
  const copies: number[] = [];
  let n = 0;
  const checkpoints = new HomeCheckpoints({
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
  await checkpoints.upload().then(() => checkpoints.upload());
  assert.equal(copies, [1, 2]);
});

test.run();
