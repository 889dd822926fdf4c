import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeCloudConfig } from '../../cli/cloud/pairHome.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

const test = suite('the address of a control plane in the configuration');

/** A configuration that someone else changes before each of the first writes. */
async function writeBeside(changes: number): Promise<{ etags: string[]; code: string | null }> {
  const etags: string[] = [];
  const source = {
    config: async () => ({ etag: `${etags.length}` }),
    async updateConfig(_: unknown, etag: string) {
      etags.push(etag);
      if (etags.length <= changes) throw new SvcError('precondition-failed', 'It has changed.');
      return { reply: { restart: [] } };
    },
  };
  const code = await writeCloudConfig(source as never, null).then(
    () => null,
    (error: SvcError) => error.code,
  );
  return { etags, code };
}

test('it is written again after another change, on what is then there (CLI-2)', async () => {
  assert.equal(await writeBeside(1), { etags: ['0', '1'], code: null });
});

test('a file that never rests is left alone (CLI-2)', async () => {
  assert.equal(await writeBeside(9), { etags: ['0', '1', '2'], code: 'precondition-failed' });
});

test.run();
