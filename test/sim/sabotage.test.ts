import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Batch } from '../../src/durable/writer.ts';
import { simulate } from './simulate.ts';

const test = suite('the simulation notices what is wrong');

/** The batch with something taken out of it. */
type Falsify = (batch: Batch) => Batch;

const without =
  (member: 'journal' | 'frames' | 'inbox' | 'outboxDone' | 'rows', lost: (item: never) => boolean): Falsify =>
  (batch) => ({ ...batch, [member]: (batch[member] as never[]).filter((item) => !lost(item)) });

/** What a wrong kernel or store would do, and the truth that must be seen to break. */
const SABOTAGE: [what: string, falsify: Falsify, sentence: RegExp][] = [
  [
    'an acknowledged message is not written down',
    without('journal', ({ event }: Batch['journal'][number]) => event.type === 'job.message'),
    /^the rows of a journal are numbered/,
  ],
  ['a log line is lost', without('frames', ({ kind }: Batch['frames'][number]) => kind === 'log'), /^the frames of a job/],
  [
    'the event of a pull request is not remembered',
    without('inbox', ({ source }: Batch['inbox'][number]) => source === 'forge:local'),
    /^what happens to a pull request is committed together/,
  ],
  [
    'a finished effect is not taken out of the outbox',
    without('outboxDone', (effectId: string) => /\/(?:[5-9]|\d\d)\/\d+$/.test(effectId)),
    /^a job that rests has no effect in flight/,
  ],
  [
    'a comment is acknowledged and does not stand at the forge',
    without('rows', ({ table }: Batch['rows'][number]) => table === 'forge_comments'),
    /^every comment and approval of a person stands|^a write that was answered as done/,
  ],
  [
    'the key of a command is not kept, so that a repeat is done again',
    (batch) => ({
      ...batch,
      rows: batch.rows.filter(({ table }) => table !== 'requests'),
      inbox: batch.inbox.filter(({ source }) => source !== 'request'),
    }),
    /^an acknowledged command is in the journal exactly once/,
  ],
  [
    'the table says that nobody holds a slot',
    (batch) => ({ ...batch, actors: batch.actors.map((row) => ({ ...row, index: { ...row.index, slot: false } })) }),
    /^every job is in a legal state/,
  ],
];

for (const [what, falsify, sentence] of SABOTAGE) {
  test(`${what}`, async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { broken } = await simulate({ seed, sabotage: falsify });
      if (broken.length === 0) continue;
      assert.match(broken[0] ?? '', sentence);
      return;
    }
    assert.unreachable('ten storms have gone by and nothing was noticed');
  });
}

test.run();
