import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  DEFAULT_RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
} from '../../../../src/base/settings/retention.ts';
import { TaskLock } from '../../../../src/base/concurrency/taskLock.ts';
import { Collector } from '../../../../src/jobs/workspace/cleanup/collector.ts';
import type { Holding } from '../../../../src/jobs/workspace/cleanup/holding.ts';

const test = suite('what a cleanup reads');

/** The kinds of which a cleanup asks what could go. */
async function listKinds(
  changed: Partial<typeof DEFAULT_RETENTION> = {},
): Promise<RetentionKind[]> {
  const kinds: RetentionKind[] = [];
  const createHolding = (kind: RetentionKind): Holding => ({
    async look() {
      kinds.push(kind);
      return { things: [], total: 0 };
    },
    mayGo: () => false,
    remove: async () => ({}),
  });
  const dir = mkdtempSync(join(tmpdir(), 'svc-gc-looks-'));
  const collector = new Collector({
    upkeep: new TaskLock(),
    settings: { retention: { everyMs: null, ...DEFAULT_RETENTION, ...changed } },
    holdings: Object.fromEntries(
      RETENTION_KINDS.map((kind) => [kind, createHolding(kind)]),
    ) as Record<RetentionKind, Holding>,
    giveBack: async () => 0,
    tmpDir: dir,
    mirrorsDir: dir,
    now: () => 0,
  });
  await collector.collect({ dryRun: true });
  rmSync(dir, { recursive: true });
  return kinds;
}

test('what is kept for good is not read: of parked jobs there may be a million', async () => {
  assert.equal(await listKinds(), ['checkouts', 'logs', 'mirrors']);
});

test('what has a limit of its size is read', async () => {
  const artefacts = { afterDays: 0, maxMb: 1 };
  assert.equal(await listKinds({ artefacts }), ['checkouts', 'logs', 'artefacts', 'mirrors']);
});

test('folders of jobs are read even where they are kept: those in use are counted', async () => {
  assert.ok((await listKinds({ checkouts: { afterDays: 0, maxMb: 0 } })).includes('checkouts'));
});

test.run();
