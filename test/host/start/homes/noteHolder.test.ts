import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { readFencedNote } from '../../../../src/host/config/home/fencedNote.ts';
import { noteHolder } from '../../../../src/host/start/homes/noteHolder.ts';

const test = suite<{ home: string }>('a start that is refused because another runner has the jobs');

const SINCE = '2026-11-30T12:00:00.000Z';

test.before.each((context) => {
  context.home = mkdtempSync(join(tmpdir(), 'svc-holder-'));
});
test.after.each(({ home }) => rmSync(home, { recursive: true, force: true }));

test('keeps which one, for svc runner status (RUN-5)', async ({ home }) => {
  const holder = { runner: 'r2', name: 'pool-2', since: SINCE };
  noteHolder(home, new SvcError('home-claimed', 'It has it.', { data: { holder } }));
  assert.equal(await readFencedNote(home), { name: 'pool-2', since: SINCE });
});

test('keeps nothing where no runner is named, or for another reason', async ({ home }) => {
  for (const refusal of [
    new SvcError('home-claimed', 'It has changed.', { data: { holder: null } }),
    new SvcError('conflict', 'A newer one.', { data: { holder: { name: 'x', since: SINCE } } }),
    new Error('home-claimed'),
  ])
    noteHolder(home, refusal);
  assert.is(await readFencedNote(home), null);
});

test.run();
