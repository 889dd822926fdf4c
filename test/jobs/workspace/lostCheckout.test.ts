import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findCheckoutFate,
  type CheckoutFate,
  describeMissingCheckout,
} from '../../../src/jobs/workspace/lostCheckout.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('a checkout that is missing');

const row = (type: string, path: string[], more: Record<string, unknown> = {}) => ({
  event: { type, ...more },
  path,
});
const PREPARED = row('phase.prepared', ['working.inSession']);
const PARKED = row('session.ended', ['parked.approval']);
const ENDED = row('session.ended', ['working.settling', 'ended.complete']);
const RERUN = row('job.rerunPhase', ['queued']);
const givenUp = (error: string) =>
  row('effect.givenUp', ['parked.developer'], { effect: 'phase.prepare', error });
const REPORTED = givenUp('conflict: The checkout of the job is missing: /w/j/shop is gone.');

const SHOWN = row('session.ended', ['parked.developer'], {
  error: 'The checkout of the job is missing: /w/j/shop is gone.',
});

const FATES: [rows: ReturnType<typeof row>[], fate: CheckoutFate][] = [
  [[PREPARED, PARKED], 'lost'],
  [[PREPARED, SHOWN], 'reported'],
  [[ENDED, RERUN, PREPARED, PARKED], 'lost'],
  [[PREPARED, givenUp('the disk is full')], 'lost'],
  [[PREPARED, PARKED, REPORTED], 'reported'],
  [[PREPARED, REPORTED, PREPARED, PARKED], 'lost'],
  [[PREPARED, ENDED, RERUN], 'cleared'],
];

test('the journal says whether a person knows of it, and whether the job has ended since it existed', () => {
  for (const [rows, fate] of FATES)
    assert.is(findCheckoutFate(rows), fate, rows.map(({ event }) => event.type).join(' '));
});

test('of a home that was taken over, only what a person does not know yet is elsewhere', () => {
  assert.is(findCheckoutFate([PREPARED, PARKED], true), 'elsewhere');
  assert.is(findCheckoutFate([PREPARED, ENDED, RERUN], true), 'cleared');
  assert.is(findCheckoutFate([PREPARED, REPORTED], true), 'reported');
});

test('before the first clone, and where the checkout exists, nothing is reported and no journal is read', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-lost-'));
  const rows = () => {
    throw new Error('the journal was read');
  };
  assert.is(
    describeMissingCheckout({ absDir: join(dir, 'shop'), recorded: undefined, rows }),
    null,
  );
  assert.is(describeMissingCheckout({ absDir: dir, recorded: dir, rows }), null);
  rmSync(dir, { recursive: true });
});

test('a job that lost its checkout is stopped with the path, what is lost and what resume does; after resume it is reported in the log', async () => {
  const absDir = '/nowhere/work/job-1/shop';
  const { code, message } = await catchRefusal(() =>
    describeMissingCheckout({ absDir, recorded: absDir, rows: () => [PREPARED, PARKED] }),
  );
  assert.is(code, 'conflict');
  assert.match(message, `${absDir} is gone`);
  assert.match(
    message,
    'Commits that were not pushed, and files that were not committed, are lost',
  );
  assert.match(message, 'resume without it: the job then continues in a fresh clone');
  const resumed = describeMissingCheckout({
    absDir,
    recorded: absDir,
    rows: () => [PREPARED, REPORTED],
  });
  assert.is(resumed?.fate, 'reported');
  assert.match(resumed?.note ?? '', 'the job was resumed without it');
  const moved = await catchRefusal(() =>
    describeMissingCheckout({ absDir, recorded: tmpdir(), rows: () => [PREPARED] }),
  );
  assert.match(moved.message, `It is at ${tmpdir()}: move it to ${absDir}`);
});

test('a job of another machine continues without what only that one has; with lostWork ask it is stopped once', async () => {
  const checkout = {
    absDir: '/nowhere/work/job-1/shop',
    recorded: '/other/work/job-1/shop',
    isFromElsewhere: true,
  };
  const continued = describeMissingCheckout({ ...checkout, rows: () => [PREPARED] });
  assert.is(continued?.fate, 'elsewhere');
  assert.match(continued?.note ?? '', 'commits that were not pushed');
  const ask = { ...checkout, lostWork: 'ask' } as const;
  const refusal = await catchRefusal(() =>
    describeMissingCheckout({ ...ask, rows: () => [PREPARED] }),
  );
  assert.is(refusal.code, 'conflict');
  const row = givenUp(refusal.message);
  assert.is(
    describeMissingCheckout({ ...ask, rows: () => [PREPARED, row] })?.fate,
    'elsewhere',
    'a resume says that the person knows',
  );
});

test.run();
