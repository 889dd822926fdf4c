import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { fetchArchives } from '../../../../src/host/start/homes/homeArchives.ts';
import { toArchiveName } from '../../../../src/kernel/sqlite/archive/archiveFile.ts';
import { resolveArchiveDir } from '../../../../src/kernel/sqlite/openKernelStore.ts';

const test = suite<{ dir: string }>('archived logs on another machine');

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
  arrivedAt: number | null = null,
): Promise<Record<string, string | null>> {
  const readCounts = new Map<string, number>();
  const stateDb = join(dir, 'state.db');
  const rows = NAMES.map((name) => ({
    file: toArchiveName(name, 1),
    bytes: name.length,
    sha256: sha256(name),
  }));
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
    arrivedAt,
    patience: { signal: new AbortController().signal },
    // Every wait is over at once.
    clock: {
      now: () => ARRIVED_AT + 5_000,
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

/** Writes a file in the place of an archive, last changed at this time, epoch ms. */
function putArchive(dir: string, name: string, text: string, at: number): void {
  const folder = resolveArchiveDir(join(dir, 'state.db'));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, toArchiveName(name, 1));
  writeFileSync(file, text);
  utimesSync(file, at / 1_000, at / 1_000);
}

const ARRIVED_AT = 1_000_000;
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

test('one that is here is not fetched (RUN-5)', async ({ dir }) => {
  putArchive(dir, 'two', 'two', ARRIVED_AT - 1_000);
  const names: string[] = [];
  const answer = (name: string): string => {
    names.push(name);
    return name;
  };
  assert.equal(await fetchAll(dir, answer, ARRIVED_AT), ALL);
  assert.equal(names, ['one', 'three']);
});

test('one that was written before the state of another machine came, with other bytes, is replaced (RUN-5)', async ({
  dir,
}) => {
  putArchive(dir, 'two', 'owt', ARRIVED_AT - 1_000);
  assert.equal(await fetchAll(dir, (name) => name, ARRIVED_AT), ALL);
});

test('one of another size is replaced (RUN-5)', async ({ dir }) => {
  putArchive(dir, 'two', 'tw', ARRIVED_AT + 1_000);
  assert.equal(await fetchAll(dir, (name) => name, ARRIVED_AT), ALL);
});

test('one that the control plane does not have stays as it is (RUN-5)', async ({ dir }) => {
  putArchive(dir, 'two', 'owt', ARRIVED_AT - 1_000);
  const missing = new SvcError('not-found', 'This home has no such artefact.');
  const archives = await fetchAll(dir, (name) => (name === 'two' ? missing : name), ARRIVED_AT);
  assert.equal(archives, { ...ALL, two: 'owt' });
});

for (const [title, arrivedAt] of [
  ['written since then', ARRIVED_AT - 1_000],
  ['of a home that no other machine has worked on', null],
] as const)
  test(`one ${title} is not read (RUN-5)`, async ({ dir }) => {
    putArchive(dir, 'two', 'owt', ARRIVED_AT);
    assert.is((await fetchAll(dir, (name) => name, arrivedAt)).two, 'owt');
  });

test('one that was compared is not compared at the next start (RUN-5)', async ({ dir }) => {
  putArchive(dir, 'two', 'two', ARRIVED_AT - 1_000);
  await fetchAll(dir, (name) => name, ARRIVED_AT);
  const { mtimeMs } = statSync(
    join(resolveArchiveDir(join(dir, 'state.db')), toArchiveName('two', 1)),
  );
  assert.is(mtimeMs, ARRIVED_AT + 5_000);
});

test.run();
