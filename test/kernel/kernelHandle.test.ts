import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Kernel } from '../../src/contract/records/changes.ts';
import { KernelHandle } from '../../src/kernel/kernelHandle.ts';

const test = suite('the handle of the kernel');

test('throws when it is used before a kernel is attached', () => {
  assert.throws(() => new KernelHandle().state('job'), /used before it was attached/);
});

test('asks the kernel that is attached later', () => {
  const handle = new KernelHandle();
  const ids: string[] = [];
  handle.attach({ state: (id: string) => void ids.push(id) } as Partial<Kernel> as Kernel);
  handle.state('job-1');
  assert.equal(ids, ['job-1']);
});

test.run();
