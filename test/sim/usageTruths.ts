import type { Tables } from '../../src/contract/records/tables.ts';
import type { Invariant } from './invariants.ts';
import type { World } from './world.ts';

/** A call of a model as the world outside knows it. */
export interface ModelCall {
  /** Its tokens in, which no other call has. */
  tokens: number;
  jobId: string;
  model: string;
  /** `kept`: the runner has said that it is written down. `unknown`: it died before it said so. */
  state: 'unknown' | 'kept' | 'refused';
}

/** Dollars for a million tokens of the model whose price the runner knows. */
export const PRICE = { model: 'priced', input: 3, output: 15 };
/** Tokens out of each call. */
export const OUTPUT = 7;

type Row = Tables['usage_calls'];

const listReportedCalls = ({ store }: World): Row[] =>
  store.rows.all('usage_calls').filter(({ source }) => source === 'reported');

/** What a row must cost. */
const computeCost = (row: Row): number | null =>
  row.model === PRICE.model ? callCost(row, PRICE) : null;

/** Millionths of a dollar at this price, which is for a million tokens. */
export const callCost = (
  { input_tokens, output_tokens }: Pick<Row, 'input_tokens' | 'output_tokens'>,
  { input, output }: { input: number; output: number },
): number => input_tokens * input + output_tokens * output;

/**
 * A row at the end of a session for calls that could not be written down one by one: what it counts
 * is what some of them in sequence have used.
 */
function isRemainder({ ledger }: World, { subject, model, input_tokens, output_tokens }: Row) {
  const lost = ledger.calls.filter(({ jobId, state }) => jobId === subject && state === 'refused');
  const times = output_tokens / OUTPUT;
  return lost.some((_call, first) => {
    const some = lost.slice(first, first + times);
    return model === null && some.reduce((sum, { tokens }) => sum + tokens, 0) === input_tokens;
  });
}

/** What the sums must be, counted from calls that the world knows. */
function replayed(rows: readonly Row[]): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const row of rows) {
    const { subject, visit, session, root, repository, at } = row;
    const day = new Date(at).toISOString().slice(0, 10);
    const keys = [
      `session ${subject}/${visit}.${session} `,
      `phase ${subject}/${visit} `,
      `job ${subject} `,
      `campaign ${root} `,
      `day  ${day}`,
      'runner  ',
      ...(repository === null ? [] : [`repository ${repository} `]),
    ];
    const cost = computeCost(row);
    for (const key of keys) {
      const [usd = 0, tokens = 0, unpriced = 0] = sums.get(key) ?? [];
      sums.set(key, [
        usd + (cost ?? 0),
        tokens + row.input_tokens + row.output_tokens,
        unpriced + (cost === null ? 1 : 0),
      ]);
    }
  }
  return sums;
}

/** What is true of the ledger of calls when every job has come to an end. */
export const USAGE: readonly Invariant[] = [
  {
    sentence: 'a call whose record was acknowledged is in the ledger once, and none is in it twice',
    broken: (world) => {
      const times = new Map<number, number>();
      for (const { input_tokens: tokens } of listReportedCalls(world))
        times.set(tokens, (times.get(tokens) ?? 0) + 1);
      return world.ledger.calls.flatMap(({ tokens, jobId, state }) => {
        const count = times.get(tokens) ?? 0;
        const most = state === 'kept' ? count === 1 : count <= 1;
        return most ? [] : [`${jobId}: ${tokens} is ${state} and found ${count} times`];
      });
    },
  },
  {
    sentence: 'the ledger has no call that no agent has made, and each for the job that made it',
    broken: (world) => {
      // Other agents say at their end what they have used, in no calls.
      if (!world.spends) return [];
      const known = new Map(world.ledger.calls.map((call) => [call.tokens, call]));
      return listReportedCalls(world)
        .filter((row) => known.get(row.input_tokens)?.jobId !== row.subject)
        .filter((row) => !isRemainder(world, row))
        .map(({ subject, input_tokens }) => `${subject}: ${input_tokens}`);
    },
  },
  {
    sentence: 'each call costs what a replay of it costs, to the millionth of a dollar',
    broken: (world) =>
      listReportedCalls(world)
        .filter((row) => row.micro_usd !== computeCost(row))
        .map((row) => `${row.subject}: ${row.micro_usd} and not ${computeCost(row)}`),
  },
  {
    sentence: 'the sums of the ledger are those of a replay of its calls',
    broken: (world) => {
      const rows = world.store.rows.all('usage_calls');
      const expected = replayed(rows);
      return world.store.rows
        .all('usage_sums')
        .filter(({ scope }) => scope !== 'week')
        .flatMap(({ scope, key, window, micro_usd, tokens, unpriced_calls }) => {
          const actual = JSON.stringify([micro_usd, tokens, unpriced_calls]);
          const due = JSON.stringify(expected.get(`${scope} ${key} ${window}`) ?? [0, 0, 0]);
          return actual === due ? [] : [`${scope} ${key} ${window}: ${actual} and not ${due}`];
        });
    },
  },
  {
    sentence: 'the rows of a session are numbered from 1 without a gap',
    broken: (world) => {
      const last = new Map<string, number>();
      return world.store.rows.all('usage_calls').flatMap(({ subject, visit, session, seq }) => {
        const key = `${subject}/${visit}.${session}`;
        const before = last.get(key) ?? 0;
        last.set(key, seq);
        return seq === before + 1 ? [] : [`${key}: ${seq} after ${before}`];
      });
    },
  },
];
