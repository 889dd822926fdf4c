import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { flattenTypes } from '../../scripts/reference/flattenTypes.ts';

const test = suite('house: types as one text');

const dir = mkdtempSync(join(tmpdir(), 'svc-types-'));
const entry = join(dir, 'entry.ts');
writeFileSync(
  join(dir, 'base.ts'),
  `/** Why it ended. */
export const REASONS = ['stopped', 'done'] as const;
export type Reason = (typeof REASONS)[number];
export interface Thing { reason: Reason | null }
`,
);
writeFileSync(
  entry,
  `import type { Thing as BaseThing } from './base.ts';
interface Inner { at: number }
/** A thing with its place. */
export interface Thing extends BaseThing { inner: Inner }
`,
);

test('types that a root names follow it, each exported, under names of their own', () => {
  assert.is(
    flattenTypes([{ file: entry, names: ['Thing'] }]),
    `/** A thing with its place. */
export interface Thing extends BaseThing { inner: Inner }

export interface Inner { at: number }

export interface BaseThing { reason: Reason | null }

/** Why it ended. */
export type Reason = 'done' | 'stopped';
`,
  );
});

test('a root that does not exist is refused', () => {
  assert.throws(
    () => flattenTypes([{ file: entry, names: ['Gone'] }]),
    /entry\.ts has no export Gone/,
  );
});

test.after(() => rmSync(dir, { recursive: true }));

test.run();
