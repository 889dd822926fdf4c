import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canTrace } from '../../support/crash/systemCalls.ts';

const test = suite('power loss under load');

const PROGRAM = join(import.meta.dirname, '../../support/crash/waves.ts');

/**
 * What the traced program did, in its order: the lines that it printed, and what the thread did that
 * writes: `write`, `synced`.
 */
function traceCalls(): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'svc-sync-order-'));
  const calls = join(dir, 'calls');
  const what = 'trace=write,pwrite64,fdatasync,fsync';
  const trace = ['-f', '--seccomp-bpf', '-s', '9000', '-e', what, '-o', calls];
  const program = [process.execPath, '--import', 'tsx', PROGRAM, dir];
  const { status, stderr } = spawnSync('strace', [...trace, ...program], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
  const lines = readFileSync(calls, 'utf8').split('\n');
  rmSync(dir, { recursive: true });
  const main = lines.find((line) => line.includes('write(1, "answered'))?.split(' ')[0] ?? '';
  return lines.flatMap((line) => {
    const message = /write\(1, "((?:taken|answered) .*)\\n"/.exec(line)?.[1];
    if (message !== undefined) return [message];
    if (line.startsWith(`${main} `)) return [];
    // The manifest is written after the sync, and is not waited for.
    if (line.includes('{\\"check\\"')) return [];
    if (line.includes('pwrite64(')) return ['write'];
    // One that another call interrupts is two lines; it has ended with the second.
    return /^\d+ .*\bf(data)?sync\b(?!.*<unfinished)/.test(line) ? ['synced'] : [];
  });
}

if (canTrace)
  test('each event is answered after the thread has written and synced its batch; another batch is taken meanwhile (strace)', () => {
    /** Numbers of the batches that are not answered, by their events. */
    const batchByStep = new Map<string, number>();
    let batches = 0;
    /** Batches that were written and synced. */
    let syncedBatches = 0;
    let hasWritten = false;
    let answers = 0;
    let meanwhile = 0;
    for (const line of traceCalls()) {
      const [act, ...steps] = line.split(' ');
      if (line === 'write') hasWritten = true;
      else if (line === 'synced') {
        if (hasWritten) syncedBatches += 1;
        hasWritten = false;
      } else if (act === 'taken') {
        if (batchByStep.size > 0) meanwhile += 1;
        batches += 1;
        for (const step of steps) batchByStep.set(step, batches);
      } else {
        const [step = ''] = steps;
        const batch = batchByStep.get(step);
        // What the main thread has written is not `taken`.
        if (batch === undefined) continue;
        batchByStep.delete(step);
        answers += 1;
        assert.ok(batch <= syncedBatches, `${line} before its batch, ${batch}, was on the disk`);
      }
    }
    assert.is(syncedBatches, batches);
    assert.ok(answers > 300, `the thread had ${answers} events`);
    assert.ok(meanwhile > 2, `${meanwhile} batches were taken before the one before was answered`);
  });
else console.log('left out: the order of syncs and answers; strace is missing or may not look');

test.run();
