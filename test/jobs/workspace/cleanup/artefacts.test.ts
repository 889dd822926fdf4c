import { existsSync, mkdtempSync, rmSync, writeFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobStore } from '../../../../src/jobs/workspace/blobs.ts';
import { Artefacts, type ArtefactStep } from '../../../../src/jobs/workspace/cleanup/artefacts.ts';
import { EndedJobs } from '../../../support/endedJobs.ts';

const NOW = Date.UTC(2026, 5, 1);

/** Jobs with artefacts, and the cleanup of those. */
class Stage extends EndedJobs {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-artefacts-'));
  blobs = new BlobStore(this.dir);
  reached: (step: ArtefactStep) => void = () => {};
  /** What another place has. */
  elsewhere: string[] = [];
  readonly droppedElsewhere: string[] = [];

  get artefacts(): Artefacts {
    const { store, blobs, writeRows, dir, elsewhere, droppedElsewhere } = this;
    return new Artefacts({
      retention: store.retention,
      rows: store.rows,
      writeRows,
      blobs: {
        listAll: () => blobs.listAll(),
        path: (hash) => blobs.path(hash),
        beginCleanup: () => blobs.beginCleanup(),
        listElsewhere: async function* (this: void) {
          yield* elsewhere;
        },
        drop(hash) {
          const isDropped = blobs.drop(hash);
          if (isDropped && elsewhere.includes(hash)) droppedElsewhere.push(hash);
          return isDropped;
        },
      },
      blobsDir: dir,
      now: () => NOW,
      onStep: (step) => this.reached(step),
    });
  }

  /** The runner was started again. */
  restart(): void {
    this.blobs = new BlobStore(this.dir);
  }

  async post(job_id: string, id: string, text: string): Promise<string> {
    const content = await this.blobs.put(new TextEncoder().encode(text));
    const facts = { phase: 'p', visit: 1, kind: 'plan-md', title: id, mime: 'text/plain' };
    await this.writeRows([
      { op: 'put', table: 'artefacts', row: { job_id, id, at: 1, ...facts, ...content } },
    ]);
    return content.sha256;
  }

  has(hash: string): boolean {
    return existsSync(this.blobs.path(hash));
  }

  marks(jobId: string): (number | null)[] {
    return this.store.rows.all('artefacts', { job_id: jobId }).map((row) => row.removed_at);
  }

  /** A whole cleanup of one job. */
  async clear(id: string) {
    const { artefacts } = this;
    await artefacts.finish(false);
    return artefacts.remove({ id, since: 0, bytes: 0 }, false);
  }

  [Symbol.dispose](): void {
    this.store.close();
    rmSync(this.dir, { recursive: true });
  }
}

const test = suite('artefacts and retention');

test('the content goes, the row stays and says when; a content that another job names stays', async () => {
  using stage = new Stage();
  stage.actor('a', 'ended');
  stage.actor('b', 'ended', { since: 5 });
  const own = await stage.post('a', 'plan', 'own');
  const shared = await stage.post('a', 'report', 'shared');
  await stage.post('b', 'report', 'shared');
  stage.restart();
  const { things, total } = await stage.artefacts.look({ sized: true });
  assert.equal(things, [
    { id: 'a', since: 0, bytes: 3 },
    { id: 'b', since: 5, bytes: 0 },
  ]);
  assert.is(total, 9);
  await stage.clear('a');
  assert.equal(stage.marks('a'), [NOW, NOW]);
  assert.equal([stage.has(own), stage.has(shared)], [false, true]);
  await stage.clear('b');
  assert.is(stage.has(shared), false, 'the last one that names it is gone');
});

test('a dry run marks and removes nothing', async () => {
  using stage = new Stage();
  stage.actor('a', 'ended');
  const hash = await stage.post('a', 'plan', 'own');
  stage.restart();
  await stage.artefacts.finish(true);
  await stage.artefacts.remove({ id: 'a', since: 0, bytes: 3 }, true);
  assert.equal([stage.marks('a'), stage.has(hash)], [[null], true]);
});

for (const step of ['marked', 'dropped'] as const)
  test(`killed when it is ${step}, the next run finishes it`, async () => {
    using stage = new Stage();
    stage.actor('a', 'ended');
    const hash = await stage.post('a', 'plan', 'own');
    stage.restart();
    stage.reached = (at) => {
      if (at === step) throw new Error('killed');
    };
    await stage.clear('a').catch(() => {});
    assert.equal(stage.marks('a'), [NOW], 'what goes is announced first');
    stage.reached = () => {};
    stage.restart();
    await stage.artefacts.finish(false);
    assert.is(stage.has(hash), false);
  });

test('a job that is run again meanwhile keeps its artefacts, also where the runner is killed then', async () => {
  for (const killed of [false, true]) {
    using stage = new Stage();
    stage.actor('a', 'ended');
    const hash = await stage.post('a', 'plan', 'own');
    stage.restart();
    stage.reached = () => {
      stage.actor('a', 'live');
      if (killed) throw new Error('killed');
    };
    await stage.clear('a').catch(() => {});
    stage.reached = () => {};
    await stage.artefacts.finish(false);
    assert.equal([stage.marks('a'), stage.has(hash)], [[null], true]);
  }
});

test('a content that was just put stays: the row that is to name it may not be stored yet', async () => {
  using stage = new Stage();
  stage.actor('a', 'ended');
  const hash = await stage.post('a', 'plan', 'own');
  const { artefacts, blobs } = stage;
  await artefacts.finish(false);
  await blobs.put(new TextEncoder().encode('own'));
  await artefacts.remove({ id: 'a', since: 0, bytes: 3 }, false);
  assert.is(stage.has(hash), true);
  await stage.post('b', 'plan', 'own');
  await artefacts.finish(false);
  await artefacts.finish(false);
  assert.is(stage.has(hash), true, 'now a row names it');
});

test('files that nothing names go when they are a day old', async () => {
  using stage = new Stage();
  const { sha256: old } = await stage.blobs.put(new TextEncoder().encode('old'));
  const { sha256: young } = await stage.blobs.put(new TextEncoder().encode('young'));
  const draft = join(stage.dir, '.draft.x');
  writeFileSync(draft, 'half');
  for (const path of [stage.blobs.path(old), draft])
    utimesSync(path, NOW / 1000 - 90_000, NOW / 1000 - 90_000);
  utimesSync(stage.blobs.path(young), NOW / 1000, NOW / 1000);
  stage.restart();
  const { removed } = await stage.artefacts.finish(false);
  assert.is(removed?.[0]?.bytes, 7);
  assert.equal([stage.has(old), stage.has(young), existsSync(draft)], [false, true, false]);
});

test('nothing may go while a job of the same family has not ended', () => {
  using stage = new Stage();
  const { retention } = stage.store;
  stage.actor('campaign', 'ended');
  stage.actor('part', 'ended', { parent: 'campaign' });
  stage.actor('below', 'ended', { parent: 'part' });
  stage.actor('other', 'ended', { parent: 'campaign' });
  const free = () =>
    ['campaign', 'part', 'below', 'other'].filter((id) => retention.hasFamilyEnded(id));
  assert.is(free().length, 4);
  for (const [id, parent] of [
    ['campaign', null],
    ['below', 'part'],
    ['other', 'campaign'],
  ] as const)
    for (const activity of ['live', 'parked'] as const) {
      stage.actor(id, activity, { parent });
      assert.equal(free(), [], `${id} is ${activity}`);
      stage.actor(id, 'ended', { parent });
    }
  assert.is(retention.hasFamilyEnded('unknown'), false);
});

test('what only another place has goes there once no row names it', async () => {
  using stage = new Stage();
  stage.actor('working', 'live');
  stage.actor('ended', 'ended');
  const needed = await stage.post('working', 'plan', 'needed');
  const marked = await stage.post('ended', 'plan', 'marked');
  stage.restart();
  await stage.clear('ended');
  rmSync(stage.blobs.path(needed));
  const lost = 'f'.repeat(64);
  stage.elsewhere = [needed, marked, lost];
  await stage.artefacts.finish(false);
  assert.equal(stage.droppedElsewhere, [marked, lost]);
});

test('archived logs that another place has stay while the archive does', async () => {
  using stage = new Stage();
  const hash = 'a'.repeat(64);
  stage.store.db.run(
    "INSERT INTO archives (actor, n, from_seq, to_seq, from_frame, to_frame, file, bytes, rows, sha256, at, cleared, parts) VALUES ('a', 1, 1, 2, 1, 2, 'f', 1, 1, ?, 1, 1, 0)",
    hash,
  );
  stage.elsewhere = [hash];
  await stage.artefacts.finish(false);
  assert.equal(stage.droppedElsewhere, []);
  stage.store.db.run('UPDATE archives SET removed_at = 1');
  await stage.artefacts.finish(false);
  assert.equal(stage.droppedElsewhere, [hash]);
});

test.run();
