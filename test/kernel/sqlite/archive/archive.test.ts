import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ARCHIVED_AT,
  ArchiveStage,
  createLife,
  logLine,
  stateFrame,
} from '../../../support/archiveStage.ts';

const test = suite('archives of ended actors');

test('an archived job is read as before, to the byte', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(50, 30));
  const before = stage.seen('j');
  const archive = await stage.store.archiver.archive('j');
  assert.ok('bytes' in archive && archive.bytes > 0);
  assert.equal(stage.files(), ['j.1.ndjson.gz']);
  assert.equal(stage.seen('j'), before);
  stage.reopen();
  assert.equal(stage.seen('j'), before, 'by the next process too');
});

test('nothing is left of it in the tables but frames beside the log, marks of recovery and the end', async () => {
  using stage = new ArchiveStage();
  const { events, frames } = createLife(5, 5);
  stage.live('j', { events: [...events, { type: 'kernel.recovered' }, ...events], frames });
  await stage.store.archiver.archive('j');
  rmSync(join(stage.home, 'archive'), { recursive: true });
  const rows = stage.store.durable.journal('j', 0, 99);
  assert.equal(
    rows.map(({ seq, event }) => [seq, event.type]),
    [
      [6, 'kernel.recovered'],
      [10, 'kernel.archiveLost'],
      [11, 'tool.report'],
    ],
  );
  const remainingFrames = stage.store.durable.frames('j', 0, 99);
  assert.equal(
    remainingFrames.map(({ n, kind }) => [n, kind]),
    [
      [1, 'state'],
      [6, 'log'],
      [7, 'state'],
    ],
  );
  assert.is(
    remainingFrames[1]?.data.line,
    `The log up to here, of frames 1 to 7, cannot be read: its archive ${join(stage.home, 'archive', 'j.1.ndjson.gz')} is missing. Put it back from a backup.`,
  );
});

test('what has not ended, what is still at work and what does not exist stay as they are', async () => {
  using stage = new ArchiveStage();
  stage.live('live', { ...createLife(1), activity: 'parked' });
  stage.live('busy', createLife(1));
  const effect = { effectId: 'busy/1/0', actor: 'busy', seq: 1, type: 't', params: {} };
  stage.commit({ outboxPut: [{ ...effect, attempt: 1, startedSeq: 1, cleanStop: false }] });
  const { archiver } = stage.store;
  assert.equal(await archiver.archive('live'), { left: 'it has not ended' });
  assert.equal(await archiver.archive('busy'), {
    left: 'it has ended, and effects of it are still at work',
  });
  assert.equal(await archiver.archive('none'), { left: 'no such actor exists' });
  assert.equal(stage.files(), []);
});

test('a job that is run again while it is archived keeps everything in the store', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(20));
  stage.reached = (step) => {
    if (step === 'published') stage.live('j', { ...createLife(1), activity: 'live' });
  };
  assert.equal(await stage.store.archiver.archive('j'), { left: 'it has not ended' });
  stage.reached = (step) => {
    if (step === 'written') stage.live('j', createLife(1));
  };
  stage.live('j', createLife(1));
  assert.equal(await stage.store.archiver.archive('j'), { left: 'it was run again meanwhile' });
  assert.equal(stage.files(), []);
});

test('a job that was run again continues its numbers, and is archived again as the next segment', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(20));
  await stage.store.archiver.archive('j');
  stage.live('j', createLife(15));
  const before = stage.seen('j');
  assert.is(stage.store.durable.frames('j', 0, 99).length, 39);
  assert.ok('bytes' in (await stage.store.archiver.archive('j')));
  assert.equal(stage.files(), ['j.1.ndjson.gz', 'j.2.ndjson.gz']);
  assert.equal(stage.seen('j'), before);
  assert.equal(await stage.store.archiver.archive('j'), { bytes: 0 }, 'nothing is left to move');
});

test('actors of other charts that belong to a job go with it; its sub-runs do not', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(3));
  stage.live('j.sub-runs', { ...createLife(0), chart: 'subRuns', parent: 'j' });
  stage.live('review.1', { ...createLife(0), chart: 'review', parent: 'j', activity: 'parked' });
  stage.live('child', { ...createLife(3), parent: 'j' });
  const archive = await stage.store.archiver.archive('j');
  assert.equal(stage.files(), ['j.1.ndjson.gz', 'j.sub-runs.1.ndjson.gz']);
  assert.equal(stage.store.archiver.sizes(), [
    { actor: 'j', bytes: 'bytes' in archive ? archive.bytes : 0, at: ARCHIVED_AT },
  ]);
  await stage.store.archiver.archive('child');
  assert.equal(
    stage.store.archiver.sizes().map(({ actor }) => actor),
    ['child', 'j'],
  );
});

test('a large event goes with the last row that refers to it, answers to tools go with their job', async () => {
  using stage = new ArchiveStage();
  const large = { type: 'tool.report', text: 'x'.repeat(20_000) };
  const life = { events: [large, { type: 'end' }], frames: [] };
  stage.live('a', life);
  stage.live('b', life);
  const row = { job_id: 'a', key: '1.1/push/0/1', ok: 1 as const, result: '{"n":1}' };
  stage.commit({ rows: [{ op: 'put', table: 'tool_answers', row }] });
  const before = [stage.seen('a'), stage.seen('b')];
  await stage.store.archiver.archive('a');
  assert.is(stage.store.rows.count('tool_answers'), 0);
  assert.equal([stage.seen('a'), stage.seen('b')], before);
  const text = gunzipSync(readFileSync(join(stage.home, 'archive', 'a.1.ndjson.gz'))).toString();
  assert.match(text, '{"answer":{"key":"1.1/push/0/1","ok":true,"result":{"n":1}}}\n');
  await stage.store.archiver.archive('b');
  assert.equal([stage.seen('a'), stage.seen('b')], before);
});

test('zcat and a JSON reader are enough to read an archive', async () => {
  using stage = new ArchiveStage();
  stage.live('j', { events: [{ type: 'start' }], frames: [logLine('hello'), stateFrame('end')] });
  await stage.store.archiver.archive('j');
  const file = join(stage.home, 'archive', 'j.1.ndjson.gz');
  const lines = execFileSync('gzip', ['-dc', file], { encoding: 'utf8' }).trimEnd().split('\n');
  assert.equal(
    lines.map((line) => Object.keys(JSON.parse(line) as object)[0]),
    ['format', 'journal', 'frame', 'frame', 'end'],
  );
  assert.equal(JSON.parse(lines[2] ?? ''), { frame: { n: 1, at: 2_000, ...logLine('hello') } });
});

test('an archive that is cut or changed is refused with its path; other jobs, and lists, continue', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(3));
  stage.live('other', createLife(3));
  const other = stage.seen('other');
  const states = stage.seen('j').states;
  for (const id of ['j', 'other']) await stage.store.archiver.archive(id);
  const file = join(stage.home, 'archive', 'j.1.ndjson.gz');
  const { size } = statSync(file);
  truncateSync(file, size - 1);
  const [notice] = stage.store.frames.logFrom('j', 1, 9);
  assert.match(
    (JSON.parse(notice?.data ?? '') as { line: string }).line,
    `its archive ${file} has ${size - 1} bytes, and ${size} were written.`,
  );
  assert.equal(stage.seen('j').states, states);
  assert.equal(stage.seen('other'), other);
});

test('a part that was changed is replaced with a notice; the parts around it are read', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(8_000));
  await stage.store.archiver.archive('j');
  const parts = JSON.parse(
    String(stage.store.db.get("SELECT parts FROM archives WHERE actor = 'j'")?.parts),
  ) as {
    kind: string;
    offset: number;
    from: number;
    to: number;
  }[];
  const second = parts.filter(({ kind }) => kind === 'frame')[1];
  assert.ok(second !== undefined && second.to < 8_000, 'the log has more than two parts');
  const file = join(stage.home, 'archive', 'j.1.ndjson.gz');
  const bytes = readFileSync(file);
  const place = second.offset + 40;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const read = stage.store.durable.frames('j', 0, 9_000);
  assert.is(read.length, 8_002 - (second.to - second.from));
  assert.is(
    read.find(({ n }) => n === second.to)?.data.line,
    `The log up to here, of frames ${second.from} to ${second.to}, cannot be read: its archive ${file} was changed. Put it back from a backup.`,
  );
});

test('removed archives say since when; what came later stays', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(3));
  const archive = await stage.store.archiver.archive('j');
  stage.live('j', { events: [{ type: 'again' }], frames: [logLine('later')] });
  assert.equal(await stage.store.archiver.remove('j'), archive);
  assert.equal(stage.files(), []);
  assert.equal(stage.store.archiver.sizes(), []);
  assert.equal(
    stage.store.frames.logFrom('j', 1, 9).map(({ n, data }) => [n, JSON.parse(data).line]),
    [
      [
        4,
        'The log up to here, of frames 1 to 5, was removed by retention at 2026-06-01T00:00:00.000Z.',
      ],
      [6, 'later'],
    ],
  );
  assert.equal(await stage.store.archiver.remove('j'), { bytes: 0 }, 'a second time does nothing');
});

test('the file of the store gives its space back', async () => {
  using stage = new ArchiveStage();
  for (let n = 0; n < 10; n++) stage.live(`j${n}`, createLife(2_000));
  stage.reopen();
  const size = () => statSync(join(stage.home, 'state.db')).size;
  const before = size();
  for (let n = 0; n < 10; n++) await stage.store.archiver.archive(`j${n}`);
  const freedBytes = await stage.store.giveBack();
  assert.is(size(), before - freedBytes, 'at once, while it is open');
  assert.ok(size() < before / 3, `${before} bytes before, ${size()} after`);
});

test.run();
