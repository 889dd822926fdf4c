import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canTrace } from '../../support/crash/systemCalls.ts';

const test = suite('power loss under load');

const PROGRAM = join(import.meta.dirname, '../../support/crash/waves.ts');

/** What the traced program did, in its order: lines that it printed, begins and ends of syncs. */
function traced(): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'svc-sync-order-'));
  const calls = join(dir, 'calls');
  const trace = ['-f', '--seccomp-bpf', '-s', '9000', '-e', 'trace=write,fdatasync', '-o', calls];
  const program = [process.execPath, '--import', 'tsx', PROGRAM, dir];
  const { status, stderr } = spawnSync('strace', [...trace, ...program], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
  const text = readFileSync(calls, 'utf8');
  rmSync(dir, { recursive: true });
  return text.split('\n').flatMap((line) => {
    const said = /write\(1, "((?:taken|answered) .*)\\n"/.exec(line)?.[1];
    if (said !== undefined) return [said];
    if (!line.includes('fdatasync')) return [];
    if (line.includes('<unfinished')) return ['sync begins'];
    return line.includes('resumed>') ? ['sync ends'] : ['sync begins', 'sync ends'];
  });
}

if (canTrace)
  test('each event is answered after a sync that began when its batch was written; another is written meanwhile (strace)', () => {
    /** Of what is not yet answered, where its batch was written. */
    const taken = new Map<string, number>();
    /** Of the sync that ended last, where it began. */
    let synced = -1;
    let begun = -1;
    let answers = 0;
    let meanwhile = 0;
    for (const [at, line] of traced().entries()) {
      const [act, ...steps] = line.split(' ');
      if (line === 'sync begins') begun = at;
      else if (line === 'sync ends') [synced, begun] = [begun, -1];
      else if (act === 'taken') {
        if (taken.size > 0) meanwhile += 1;
        for (const step of steps) taken.set(step, at);
      } else {
        const [step = ''] = steps;
        const written = taken.get(step);
        // What SQLite has synced by itself is not `taken`.
        if (written === undefined) continue;
        taken.delete(step);
        answers += 1;
        assert.ok(written < synced, `${line} after a sync that began before it was written`);
      }
    }
    assert.ok(answers > 300, `${answers} events waited for another thread`);
    assert.ok(
      meanwhile > 2,
      `${meanwhile} batches were written before the one before was answered`,
    );
  });
else console.log('left out: the order of syncs and answers; strace is missing or may not look');

test.run();
