import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../../src/base/concurrency/createDeferred.ts';
import { resolveCheckerProgram } from '../../../../src/host/start/homes/openPairedHome.ts';
import { StateCopies } from '../../../../src/host/start/homes/stateCopies.ts';
import type { CopiedState } from '../../../../src/jobs/store/copiedState.ts';

const test = suite('copies of the state for the control plane');

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..', '..');

test('none is made any more when a stop has waited for them, and what was stopped leaves no file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-copies-'));
  const stop = new AbortController();
  const checker = resolveCheckerProgram(PACKAGE_ROOT, false);
  const copies = new StateCopies(join(dir, 'state.db'), checker, stop.signal);
  const copied = createDeferred<CopiedState>();
  const steps: string[] = [];
  const making = copies.make({ copyTo: () => copied.promise }).catch(() => steps.push('stopped'));
  stop.abort();
  const idle = copies.waitUntilIdle().then(() => steps.push('idle'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(steps, []);
  copied.resolve({ schema: 1, jobs: new Set(), active: new Set() });
  await Promise.all([making, idle]);
  assert.equal(steps, ['stopped', 'idle']);
  assert.equal(readdirSync(dir), []);
  rmSync(dir, { recursive: true });
});

test.run();
