import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noteStart, readStartNote } from '../../../../src/host/config/home/startNote.ts';

const test = suite('the note of a start');

if (process.platform === 'linux')
  test('a home where no folder can be made ends the note, and does not hang', async () => {
    const removeNote = await noteStart('/proc/svc/home', process.pid);
    await removeNote();
    assert.is(await readStartNote('/proc/svc/home', Date.now()), null);
  });

test.run();
