import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type ApplyPlan,
  carryOutPlan,
  readPlainTextAt,
} from '../../../src/jobs/proposals/applyPlan.ts';

const test = suite<{ root: string }>('proposals: writing a plan');

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'svc-plan-'));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

const DRAFT = 'svc-x.tmp';
const PLAN: ApplyPlan = [
  { path: 'workflows/job.md', before: 'old job', after: 'new job' },
  { path: 'agents/new.md', before: null, after: 'a new agent' },
  { path: 'agents/old.md', before: 'an old agent', after: null },
];

const put = (root: string, path: string, text: string | null): void => {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  if (text === null) rmSync(full, { force: true });
  else writeFileSync(full, text);
};
const lay = (root: string, plan: ApplyPlan, side: 'before' | 'after' = 'before'): void => {
  for (const file of plan) put(root, file.path, file[side]);
};
const readTexts = (root: string): (string | null)[] =>
  PLAN.map(({ path }) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null,
  );
const listSide = (side: 'before' | 'after') => PLAN.map((file) => file[side]);
const namesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

test('every file is written, created or removed', async ({ root }) => {
  lay(root, PLAN);
  await carryOutPlan(root, PLAN, DRAFT);
  assert.equal(readTexts(root), listSide('after'));
});

/** From its n-th operation on, nothing of this process reaches the disk any more. */
function deadAfter(n: number): { ops(): number; revive(): void } {
  const real = { ...fs.promises };
  let ops = 0;
  for (const name of ['rename', 'rm', 'mkdir', 'open'] as const) {
    const act = real[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(fs.promises, {
      async [name](...args: unknown[]) {
        ops += 1;
        if (ops > n) throw new Error('killed');
        return act(...args);
      },
    });
  }
  syncBuiltinESMExports();
  return {
    ops: () => ops,
    revive() {
      Object.assign(fs.promises, real);
      syncBuiltinESMExports();
    },
  };
}

test('killed before any operation on the disk, a later run completes it, and no draft is left', async ({
  root,
}) => {
  lay(root, PLAN);
  const whole = deadAfter(Number.POSITIVE_INFINITY);
  await carryOutPlan(root, PLAN, DRAFT).finally(whole.revive);
  assert.ok(whole.ops() > 6, `${whole.ops()} operations`);
  for (let n = 0; n < whole.ops(); n++) {
    rmSync(root, { recursive: true });
    lay(root, PLAN);
    const killed = deadAfter(n);
    await carryOutPlan(root, PLAN, DRAFT)
      .catch(() => undefined)
      .finally(killed.revive);
    await carryOutPlan(root, PLAN, DRAFT);
    assert.equal(readTexts(root), listSide('after'), `killed at operation ${n + 1}`);
    assert.equal(namesIn(root), ['job.md', 'new.md'], `killed at operation ${n + 1}`);
  }
});

for (const count of [0, 1, 2, 3])
  test(`changed by someone else after ${count} files, all that was written is put back`, async ({
    root,
  }) => {
    const plan = [...PLAN, { path: 'memory/a.md', before: 'one', after: 'two' }];
    lay(root, plan);
    lay(root, plan.slice(0, count), 'after');
    put(root, 'memory/a.md', 'three');
    const refusal = await carryOutPlan(root, plan, DRAFT).catch((error: unknown) => error);
    assert.match(String(refusal), /memory\/a\.md was changed while/);
    assert.equal(readTexts(root), listSide('before'));
    assert.is(readFileSync(join(root, 'memory/a.md'), 'utf8'), 'three');
  });

test('where one file cannot be written, none is changed', async ({ root }) => {
  lay(root, PLAN);
  const plan = [
    PLAN[0],
    { path: `agents/${'x'.repeat(250)}.md`, before: null, after: 'x' },
  ] as ApplyPlan;
  const refusal = await carryOutPlan(root, plan, DRAFT).catch((error: unknown) => error);
  assert.match(String(refusal), /could not be written \(ENAMETOOLONG\)/);
  assert.equal(readTexts(root), listSide('before'));
});

test('nothing is read or written through a link', async ({ root }) => {
  const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
  symlinkSync(outside, join(root, 'workflows'));
  const refusal = await readPlainTextAt(root, 'workflows/job.md').catch((error: unknown) => error);
  assert.match(String(refusal), /is a link or of an unexpected type/);
  rmSync(outside, { recursive: true });
});

test.run();
