import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assign } from 'xstate';
import type { DurableChart } from '../../src/kernel/chart.ts';
import type { Batch } from '../../src/kernel/writer.ts';
import { jobChart } from '../../machines/index.ts';
import { jobMachine } from '../../machines/job/job.ts';
import { goTo } from '../../machines/job/phaseChanges.ts';
import { FALSE_LEDGERS, type Falsify } from './falseLedgers.ts';
import { simulate } from './simulate.ts';
import { walk } from './walks.ts';
import type { WorldOptions } from './world.ts';
import { inLongLane, longLane } from '../support/longLane.ts';

const test = suite('the simulation notices what is wrong');
const long = longLane(test);

const without =
  (
    member: 'journal' | 'frames' | 'inbox' | 'outboxDone' | 'rows',
    lost: (item: never) => boolean,
  ): Falsify =>
  (batch) => ({ ...batch, [member]: (batch[member] as never[]).filter((item) => !lost(item)) });

/** What a wrong kernel or store would do, and the truth that must be seen to break. */
const SABOTAGE: [what: string, falsify: Falsify, sentence: RegExp][] = [
  [
    'an acknowledged message is not written down',
    without('journal', ({ event }: Batch['journal'][number]) => event.type === 'job.message'),
    /^the rows of a journal are numbered/,
  ],
  [
    'a log line is lost',
    without('frames', ({ kind }: Batch['frames'][number]) => kind === 'log'),
    /^the frames of a job/,
  ],
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
    'a comment is acknowledged and is not at the forge',
    without('rows', ({ table }: Batch['rows'][number]) => table === 'forge_comments'),
    /^every comment and approval of a person is at the forge|^a write that was answered as done/,
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
    'the table says that no job holds a slot',
    (batch) => ({
      ...batch,
      actors: batch.actors.map((row) => ({ ...row, index: { ...row.index, slot: false } })),
    }),
    /^every job is in a legal state/,
  ],
  [
    'an approval is not written down',
    (batch) => ({
      ...batch,
      rows: batch.rows.filter((change) => !(change.op === 'patch' && 'approved_by' in change.set)),
    }),
    /^no phase after a checkpoint begins without its approval/,
  ],
];

// In CI the last three: a key, a slot, an approval.
for (const [what, falsify, sentence] of inLongLane ? SABOTAGE : SABOTAGE.slice(-3)) {
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

for (const [what, falsify, sentence] of FALSE_LEDGERS) {
  long(`${what}`, async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { broken } = await simulate({ seed, spends: true, sabotage: falsify });
      if (broken.length === 0) continue;
      assert.ok(
        broken.some((one) => sentence.test(one)),
        broken.join('; '),
      );
      return;
    }
    assert.unreachable('five storms have gone by and nothing was noticed');
  });
}

/** Changes of rows of one table, each falsified. */
const ofTable =
  (table: string, change: (one: Batch['rows'][number]) => Batch['rows']): Falsify =>
  (batch) => ({
    ...batch,
    rows: batch.rows.flatMap((one) => (one.table === table ? change(one) : [one])),
  });

/** What wrong budgets would do. */
const FALSE_CAPS: [what: string, wrong: Partial<WorldOptions>, sentence: RegExp][] = [
  [
    'the runner stops jobs at a cap that is too large',
    { caps: { job: { tokens: 5_000 } }, runnerCaps: { job: { tokens: 500_000 } } },
    /^no session makes more than one call once a cap is spent/,
  ],
  [
    'a hold is not settled when the slot is free again',
    { sabotage: ofTable('budget_holds', (one) => (one.op === 'drop' ? [] : [one])) },
    /^only jobs that hold a slot hold a part/,
  ],
  [
    'a session begins without a hold',
    { sabotage: ofTable('budget_holds', (one) => (one.op === 'put' ? [] : [one])) },
    /^a job whose session may ask its model holds a part/,
  ],
  [
    'the cap on sessions is too large',
    { caps: { job: { sessions: 1 } }, runnerCaps: { job: { sessions: 100 } } },
    /^no account has more sessions than its cap/,
  ],
  [
    'the cap on visits is too large',
    { caps: { job: { visits: 1 } }, runnerCaps: { job: { visits: 100 } } },
    /^no model is asked in a visit beyond the cap/,
  ],
  [
    'a raise counts twice',
    {
      caps: { job: { tokens: 5_000 } },
      sabotage: ofTable('budget_caps', (one) =>
        one.op === 'put'
          ? [{ ...one, row: { ...one.row, raised: Number(one.row.raised) * 2 } }]
          : [one],
      ),
    },
    /^a budget is raised once for each raise/,
  ],
];

for (const [what, wrong, sentence] of FALSE_CAPS) {
  long(`${what}`, async () => {
    const caps = { job: { tokens: 30_000 } };
    for (let seed = 1; seed <= 5; seed++) {
      const { broken } = await simulate({ seed, spends: true, caps, ...wrong });
      // A storm ends with the first truth that breaks, which may be another one.
      if (broken.some((one) => sentence.test(one))) return;
    }
    assert.unreachable('five storms have gone by and it was not noticed');
  });
}

/** The job chart with some of its guards and actions in the place of its own. */
const chartWith = (
  parts: Parameters<ReturnType<typeof jobMachine>['provide']>[0],
): DurableChart => ({
  ...jobChart,
  machine: jobMachine().provide(parts),
});

const never = () => false;
const UNGUARDED = { approvalMissing: never, approvalSkipped: never };

/** Charts that forget an approval: an earlier one for await_event, and others. */
const FORGETFUL: Record<string, Parameters<ReturnType<typeof jobMachine>['provide']>[0]> = {
  'a merge leads on from a phase that awaited it': {
    guards: { ...UNGUARDED, wakesUnapproved: never, wokenUnapproved: never },
    actions: {
      wakeByEvent: assign(({ context }) => goTo(context.awaited?.after ?? context.phase)),
      wakeByInbox: assign(({ context }) => goTo(context.awaited?.after ?? context.phase)),
    },
  },
  'a checkpoint holds no job': {
    guards: { ...UNGUARDED, checkpointHolds: never, checkpointPasses: never },
  },
  'a rerun leads anywhere': {
    guards: {
      ...UNGUARDED,
      rerunFits: ({ event }) => event.type === 'job.rerun' && event.phase !== 'nowhere',
    },
  },
  'a goto leads anywhere': {
    guards: {
      ...UNGUARDED,
      gotoFits: ({ event }) => event.type === 'tool.goto_phase' && event.phase !== 'nowhere',
    },
  },
  'what has settled leads on': {
    guards: { ...UNGUARDED, settledUnapproved: never, overUnapproved: never },
  },
};

/** What walks say of a chart; '' = nothing in a thousand of them. */
const noticedIn = async (chart: DurableChart): Promise<string> => {
  let problem = '';
  for (let seed = 1; seed <= 1_000 && problem === ''; seed += 20)
    await walk({ walks: 20, seed, chart }).catch((error: Error) => {
      problem = error.message;
    });
  return problem;
};

for (const [what, parts] of Object.entries(FORGETFUL)) {
  test(`walks notice a chart in which ${what}`, async () => {
    assert.match(
      await noticedIn(chartWith(parts)),
      /^not true that no phase after a checkpoint begins without its approval/u,
    );
  });
}

test('walks notice a chart in which the time of an unattended job is never over', async () => {
  assert.match(
    await noticedIn(chartWith({ guards: { limitOver: never, preparedTooLate: never } })),
    /^not true that no session begins once the time that it may work unattended is over/u,
  );
});

test.run();
