import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { QUIET_MS, watchConfigFile } from '../../../../src/host/config/file/watchConfig.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('watch of the configuration');

let dir: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-watch-'));
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

/** Folders that are watched by hand. */
function stage(file: string) {
  const clock = new SimulatedClock();
  const folders = new Map<string, (name: string | null) => void>();
  let changes = 0;
  const end = watchConfigFile(file, {
    clock,
    onChange: () => {
      changes += 1;
    },
    inFolder(folder, changed) {
      folders.set(folder, changed);
      return () => void folders.delete(folder);
    },
  });
  return { clock, folders, end, changes: () => changes };
}

test('several writes of one save are one change, once they have ended', () => {
  const { clock, folders, changes } = stage(join(dir, 'config.json'));
  const write = folders.get(dir);
  write?.('config.json');
  clock.advance(QUIET_MS - 1);
  write?.('config.json');
  clock.advance(QUIET_MS - 1);
  assert.is(changes(), 0);
  clock.advance(1);
  assert.is(changes(), 1);
});

test('other files of the folder are none; a change without a name may be one', () => {
  const { clock, folders, changes } = stage(join(dir, 'config.json'));
  folders.get(dir)?.('state.db-wal');
  clock.advance(QUIET_MS);
  assert.is(changes(), 0);
  folders.get(dir)?.(null);
  clock.advance(QUIET_MS);
  assert.is(changes(), 1);
});

test('of a link, the file that it leads to is watched too', () => {
  const real = mkdtempSync(join(tmpdir(), 'svc-watched-'));
  writeFileSync(join(real, 'svc.json'), '{}');
  symlinkSync(join(real, 'svc.json'), join(dir, 'config.json'));
  const { clock, folders, changes } = stage(join(dir, 'config.json'));
  folders.get(real)?.('svc.json');
  clock.advance(QUIET_MS);
  assert.is(changes(), 1);
  rmSync(real, { recursive: true });
});

test('one that becomes a link, or leads elsewhere, is watched where it leads to', () => {
  const [first, second] = ['a', 'b'].map((name) => {
    const real = join(dir, name);
    mkdirSync(real);
    writeFileSync(join(real, 'svc.json'), '{}');
    return real;
  });
  const file = join(dir, 'config.json');
  const { clock, folders, changes } = stage(file);
  for (const real of [first ?? '', second ?? '']) {
    rmSync(file, { force: true });
    symlinkSync(join(real, 'svc.json'), file);
    folders.get(dir)?.('config.json');
    clock.advance(QUIET_MS);
    folders.get(real)?.('svc.json');
    clock.advance(QUIET_MS);
  }
  assert.is(changes(), 4);
  assert.equal([...folders.keys()], [dir, second]);
});

test('after the end nothing is watched, and what was seen before is not reported', () => {
  const { clock, folders, end, changes } = stage(join(dir, 'config.json'));
  folders.get(dir)?.('config.json');
  end();
  clock.advance(QUIET_MS);
  assert.is(folders.size, 0);
  assert.is(changes(), 0);
});

test.run();
