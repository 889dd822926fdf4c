import type { Batch } from '../../src/kernel/writer.ts';

/** The batch with something of it changed. */
export type Falsify = (batch: Batch) => Batch;

/** What a wrong ledger would be; calls are changed one by one. */
const withCalls =
  (change: (row: Record<string, unknown>) => Record<string, unknown>[]): Falsify =>
  (batch) => ({
    ...batch,
    rows: batch.rows.flatMap((one) =>
      one.op === 'put' && one.table === 'usage_calls'
        ? change(one.row).map((row) => ({ ...one, row }))
        : [one],
    ),
  });

/** Wrong ledgers, and the truth that each of them breaks. */
export const FALSE_LEDGERS: readonly [what: string, falsify: Falsify, sentence: RegExp][] = [
  [
    'a call of a model is not written down',
    withCalls((row) => (Number(row.input_tokens) % 7 === 0 ? [] : [row])),
    /^a call whose record was acknowledged/,
  ],
  [
    'a call of a model is written down twice',
    withCalls((row) => [row, { ...row, seq: Number(row.seq) + 1_000 }]),
    /^a call whose record was acknowledged/,
  ],
  [
    'a call is that of another job',
    withCalls((row) => [{ ...row, subject: `${row.subject}x` }]),
    /^the ledger has no call that no agent has made/,
  ],
  [
    'a call costs a millionth of a dollar less',
    withCalls((row) => [
      { ...row, micro_usd: row.micro_usd === null ? null : Number(row.micro_usd) - 1 },
    ]),
    /^each call costs what a replay of it costs/,
  ],
  [
    'an unknown price is 0',
    withCalls((row) => [{ ...row, micro_usd: row.micro_usd ?? 0 }]),
    /^each call costs what a replay of it costs/,
  ],
  [
    'a sum is changed beside its calls',
    (batch) => ({
      ...batch,
      rows: batch.rows.flatMap((one) =>
        one.op === 'put' && one.table === 'usage_calls'
          ? [
              one,
              { op: 'patch', table: 'usage_sums', key: { scope: 'runner' }, set: { tokens: 1 } },
            ]
          : [one],
      ),
    }),
    /^the sums of the ledger/,
  ],
  [
    'the calls of a session begin with the second number',
    withCalls((row) => [{ ...row, seq: Number(row.seq) + 1 }]),
    /^the rows of a session are numbered/,
  ],
];
