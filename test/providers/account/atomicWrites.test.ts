import { existsSync, mkdtempSync, promises, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { atomicWrite } from '../../../src/providers/account/atomicWrites.ts';
import { objectsOf } from '../../../src/git/repository.ts';

const test = suite('scm atomic writes');

const dir = mkdtempSync(join(tmpdir(), 'svc-atomic-'));
test.after(() => rmSync(dir, { recursive: true, force: true }));

test('an object that is cut short in the middle is not there, and its next writing is whole (RUN-4)', async () => {
  const file = join(dir, 'object');
  const cutShort = atomicWrite({
    ...promises,
    async open(path, flags, mode) {
      const handle = await promises.open(path, flags, mode);
      handle.writeFile = async () => {
        await handle.write('hal');
        throw new Error('the process died');
      };
      return handle;
    },
  });
  let thrown: unknown;
  await cutShort(file, 'half and half').catch((error) => {
    thrown = error;
  });
  assert.match(String(thrown), 'the process died');
  assert.equal(existsSync(file), false);
  assert.equal(readdirSync(dir), []);
  await atomicWrite(promises)(file, 'half and half');
  assert.equal(readFileSync(file, 'utf8'), 'half and half');
  assert.equal(readdirSync(dir), ['object']);
});

test('this is how every object of a merge is written', async () => {
  const file = join(dir, 'other');
  const { fs } = objectsOf({ path: dir, gitDir: dir });
  await Promise.all([fs.promises.writeFile(file, 'same'), fs.promises.writeFile(file, 'same')]);
  assert.is(readFileSync(file, 'utf8'), 'same');
});

test.run();
