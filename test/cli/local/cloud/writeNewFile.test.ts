import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeNewFile } from '../../../../cli/local/cloud/writeNewFile.ts';

const test = suite<{ dir: string }>('a file that a command writes piece by piece');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-export-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true }));

test('its pieces come in order, and only its user can read it', async ({ dir }) => {
  const file = join(dir, 'x.jsonl');
  const result = await writeNewFile(file, async (write) => {
    await write('a\n');
    await write('b\n');
    return 2;
  });
  assert.equal([result, readFileSync(file, 'utf8')], [2, 'a\nb\n']);
  assert.is(statSync(file).mode & 0o777, 0o600);
});

test('what fails leaves no file', async ({ dir }) => {
  const file = join(dir, 'x.jsonl');
  const failed = writeNewFile(file, async (write) => {
    await write('a\n');
    throw new Error('cut');
  });
  assert.is(await failed.catch(({ message }) => message), 'cut');
  assert.not.ok(existsSync(file));
});

test('a file that exists is not touched', async ({ dir }) => {
  const file = join(dir, 'x.jsonl');
  await writeNewFile(file, (write) => write('mine'));
  const again = writeNewFile(file, (write) => write('other'));
  assert.is(await again.catch(({ code }) => code), 'bad-argument');
  assert.is(readFileSync(file, 'utf8'), 'mine');
});

test.run();
