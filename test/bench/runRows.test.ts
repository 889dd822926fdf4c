import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { under } from '../../bench/figure.ts';
import type { Row } from '../../bench/rows/row.ts';
import { runRows } from '../../bench/runRows.ts';

const test = suite('bench: rows');

const createRow = (name: string, programs?: string[]): Row<null> => ({
  figures: [name],
  ...(programs && { programs }),
  measure: async () => ({ [name]: under({ value: 1, unit: 'MiB', target: 2 }) }),
});

async function readLines(rows: Row<null>[]): Promise<string[]> {
  const lines: string[] = [];
  const { log, error } = console;
  console.log = (line: string) => lines.push(line);
  console.error = () => {};
  try {
    await runRows(rows, null, { json: false, parked: '1' });
  } finally {
    Object.assign(console, { log, error });
  }
  return lines.map((line) => line.split(/ {2,}/)[0] ?? '');
}

test('a row whose program is not installed is left out and named, and the next one is measured', async () => {
  assert.equal(
    await readLines([createRow('confined', ['node', 'no-such-program']), createRow('free')]),
    ['left out: confined (not installed: no-such-program)', 'free'],
  );
});

test('a row whose programs are installed is measured', async () => {
  assert.equal(await readLines([createRow('confined', ['node'])]), ['confined']);
});

test.run();
