import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTestProgram } from '../support/findTestProgram.ts';

const test = suite('the repaired packages outside of the build');

const ROOT = join(import.meta.dirname, '../..');
/** In the repaired client of PostgreSQL, and not in that of its release. */
const REPAIRED = 'closedBy = error';

const PROGRAMS = [
  'test/crash/homes/nodeProgram.ts',
  'test/support/cloud/nodeProcess.ts',
  'test/support/cloud/nodeProgram.ts',
];

for (const source of PROGRAMS) {
  test(`${source} is started with the repaired client of PostgreSQL`, async () => {
    const program = readFileSync(await findTestProgram(source), 'utf8');
    assert.ok(program.includes(REPAIRED));
    assert.not.match(program, /from ["']postgres["']/);
  });
}

test('the lane that kills nodes loads the repaired client of PostgreSQL', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [, flags = ''] =
    /^node (.*) test\/crash\/homes\/run\.ts$/.exec(scripts['test:homes']) ?? [];
  const print = `import postgres from 'postgres'; console.log(String(postgres));`;
  const load = (...args: string[]): string =>
    execFileSync(process.execPath, [...args, '--input-type=module', '--eval', print], {
      cwd: ROOT,
      encoding: 'utf8',
    });
  assert.ok(load(...flags.split(' ')).includes(REPAIRED));
  assert.not.ok(load('--import', 'tsx').includes(REPAIRED));
});

test.run();
