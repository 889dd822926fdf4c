import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { sha256 } from '../../../../src/base/system/ids/ids.ts';
import { uploadHomeFiles } from '../../../../src/host/start/homes/uploadHomeFiles.ts';
import { BlobStore } from '../../../../src/jobs/workspace/blobs.ts';
import { toArchiveName } from '../../../../src/kernel/sqlite/archive/archiveFile.ts';
import { resolveArchiveDir } from '../../../../src/kernel/sqlite/openKernelStore.ts';

const test = suite<{ dir: string }>('files that a home gives to its control plane');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-upload-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const NAMES = ['one', 'two', 'three'];

/** Uploads artefacts and archives with these names; gives the texts that the control plane took, and the warnings. */
async function uploadAll(dir: string, texts: Readonly<Record<string, string | null>>) {
  const blobs = join(dir, 'blobs');
  const stateDb = join(dir, 'state.db');
  const put = (file: string, name: string): void => {
    const text = name in texts ? texts[name] : name;
    mkdirSync(dirname(file), { recursive: true });
    if (typeof text === 'string') writeFileSync(file, text);
  };
  for (const name of NAMES) {
    put(new BlobStore(blobs).path(sha256(Buffer.from(name))), name);
    put(join(resolveArchiveDir(stateDb), toArchiveName(name, 1)), `log ${name}`);
  }
  const rows = NAMES.map((name) => ({
    file: toArchiveName(name, 1),
    bytes: `log ${name}`.length,
    sha256: sha256(Buffer.from(`log ${name}`)),
  }));
  const taken: string[] = [];
  let warnings = 0;
  await uploadHomeFiles(
    {
      hasBlob: async () => false,
      async putBlob(hash, bytes) {
        if (sha256(bytes) !== hash) throw new SvcError('invalid', 'The bytes are others.');
        taken.push(Buffer.from(bytes).toString());
      },
    },
    { db: { all: () => rows } },
    { blobs, stateDb },
    { signal: new AbortController().signal },
    {
      warn() {
        warnings += 1;
      },
    },
  );
  return { taken: taken.sort(), warnings };
}

const ALL = ['log one', 'log three', 'log two', 'one', 'three', 'two'];

test('artefacts and archived logs are uploaded (RUN-5)', async ({ dir }) => {
  assert.equal(await uploadAll(dir, {}), { taken: ALL, warnings: 0 });
});

for (const [title, text] of [
  ['damaged', 'other'],
  ['missing', null],
] as const)
  for (const name of ['two', 'log two'])
    test(`${name} that is ${title} holds up no other, and is reported (RUN-5)`, async ({ dir }) => {
      const { taken, warnings } = await uploadAll(dir, { [name]: text });
      assert.equal(
        taken,
        ALL.filter((one) => one !== name),
      );
      assert.is(warnings, name === 'two' && text === null ? 0 : 1);
    });

test.run();
