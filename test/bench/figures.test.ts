import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { atLeast, formatFigure, under } from '../../bench/figure.ts';
import { median, percentile } from '../../bench/statistics.ts';

const test = suite('bench: figures');

test('a size without a base is judged by its value', () => {
  assert.equal(under({ value: 1.2345, unit: 'MiB', target: 1.5 }), {
    value: 1.23,
    unit: 'MiB',
    ratio: null,
    target: 1.5,
    ok: true,
  });
  assert.is(under({ value: 1.5, unit: 'MiB', target: 1.5 }).ok, false, 'under means below');
  assert.is(atLeast({ value: 350, unit: 'KiB', target: 350 }).ok, true);
  assert.is(
    atLeast({ value: 349.9, unit: 'KiB', target: 350 }).ok,
    false,
    'what is shown is rounded, what is judged is not',
  );
});

test('a time or a rate without a base is reported: it says more about the machine', () => {
  const late = under({ value: 9, unit: 'ms', target: 1.5 });
  assert.is(late.ok, null);
  assert.match(formatFigure('wake.p50', late), /^wake\.p50 +9 ms +target 1\.5 ms +reported$/);
  assert.is(atLeast({ value: 1, unit: '/s', target: 350 }).ok, null);
});

test('a figure with a base is judged by its ratio, and the target is one of ratios', () => {
  const figure = atLeast({ value: 12_345.6, unit: '/s', ratio: 2.3456, target: 1.6 });
  assert.equal(figure, { value: 12_346, unit: '/s', ratio: 2.35, target: 1.6, ok: true });
  assert.match(
    formatFigure('kernel.steps', figure),
    /^kernel\.steps +12346 \/s +2\.35 x +target 1\.6 x +ok$/,
  );
  assert.is(under({ value: 90, unit: 'ms', ratio: 1.3, target: 1.2 }).ok, false);
});

test('nothing measured meets no target', () => {
  assert.is(under({ value: median([]), unit: 'ms', target: 1 }).ok, false);
  assert.is(atLeast({ value: median([]), unit: '/s', target: 1 }).ok, false);
});

test('percentiles are values that were measured', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);
  assert.equal(median(hundred), 50);
  assert.equal(percentile(hundred, 99), 99);
  assert.equal(percentile(hundred, 100), 100);
  assert.equal(percentile([7], 99), 7);
});

test('an unknown figure is refused with the list of known ones, before anything is measured', () => {
  const bench = join(import.meta.dirname, '../../bench/index.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', bench, '--only', 'wake,walk'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^Unknown figure walk\. Known: kernel\.steps, budgets\.hold, budgets\.settle, rating\.answered, rating\.unanswered, rating\.digest, rating\.off, jobs\.whole, campaign\.rate, campaign\.ready, wake\.p50/,
  );
});

test.run();
