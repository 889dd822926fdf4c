import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { fetchArchives } from '../../../../src/host/start/homes/homeArchives.ts';
import { toArchiveName } from '../../../../src/kernel/sqlite/archive/archiveFile.ts';
import { resolveArchiveDir } from '../../../../src/kernel/sqlite/openKernelStore.ts';

const test = suite<{ dir: string }>('archived logs on an empty disk');

const NAMES = ['one', 'two', 'three'];
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-archives-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** Fetches three archives. `answer`: what the control plane sends at the n-th request for one, from 0. */
async function fetchAll(
  dir: string,
  answer: (name: string, n: number) => string | SvcError | 'cut',
): Promise<Record<string, string | null>> {
  const readCounts = new Map<string, number>();
  const stateDb = join(dir, 'state.db');
  const rows = NAMES.map((name) => ({ file: toArchiveName(name, 1), sha256: sha256(name) }));
  await fetchArchives({
    client: {
      async *readBlob(hash) {
        const name = NAMES.find((one) => sha256(one) === hash) ?? '';
        const n = readCounts.get(name) ?? 0;
        readCounts.set(name, n + 1);
        const reply = answer(name, n);
        if (reply instanceof SvcError) throw reply;
        yield Buffer.from(reply === 'cut' ? name.slice(0, 1) : reply);
        if (reply === 'cut') throw new SvcError('cloud-unreachable', 'The answer broke off.');
      },
    },
    store: { db: { all: () => rows } },
    stateDb,
    patience: { signal: new AbortController().signal },
    // Every wait is over at once.
    clock: {
      now: () => 0,
      at(_, run) {
        queueMicrotask(run);
        return () => undefined;
      },
    },
    log: { warn() {} },
  });
  return Object.fromEntries(
    NAMES.map((name) => {
      const file = join(resolveArchiveDir(stateDb), toArchiveName(name, 1));
      return [name, existsSync(file) ? readFileSync(file, 'utf8') : null];
    }),
  );
}

const ALL = { one: 'one', two: 'two', three: 'three' };

test('each is fetched (RUN-5)', async ({ dir }) => {
  assert.equal(await fetchAll(dir, (name) => name), ALL);
});

test('one whose bytes break off holds up no other, and is fetched again (RUN-5)', async ({
  dir,
}) => {
  assert.equal(await fetchAll(dir, (name, n) => (name === 'one' && n < 2 ? 'cut' : name)), ALL);
});

test('one that the control plane does not have is left out (RUN-5)', async ({ dir }) => {
  const missing = new SvcError('not-found', 'This home has no such artefact.');
  const archives = await fetchAll(dir, (name) => (name === 'two' ? missing : name));
  assert.equal(archives, { ...ALL, two: null });
});

test('bytes of another file are not kept (RUN-5)', async ({ dir }) => {
  const archives = await fetchAll(dir, (name) => (name === 'two' ? 'others' : name));
  assert.equal(archives, { ...ALL, two: null });
});

test.run();
