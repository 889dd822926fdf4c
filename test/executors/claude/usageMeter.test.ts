import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UsageReport } from '../../../src/contract/session/usageReport.ts';
import { UsageMeter } from '../../../src/executors/claude/usageMeter.ts';

const test = suite('executor claude: what its models have used');

/** The pieces of an answer as the program streams them. */
const answer = (id: string, input: unknown, output: unknown, model = 'large') => [
  {
    type: 'stream_event',
    event: {
      type: 'message_start',
      message: { id, model, usage: { input_tokens: input, output_tokens: 1 } },
    },
  },
  { type: 'assistant', message: { id, model, usage: { input_tokens: input, output_tokens: 1 } } },
  { type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: output } } },
  { type: 'stream_event', event: { type: 'message_stop' } },
];

const createModelUsage = (models: Record<string, [input: number, output: number]>) => ({
  type: 'result',
  modelUsage: Object.fromEntries(
    Object.entries(models).map(([name, [inputTokens, outputTokens]]) => [
      name,
      { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    ]),
  ),
});

const take = (meter: UsageMeter, pieces: readonly Record<string, unknown>[]): UsageReport[] =>
  pieces.flatMap((piece) => meter.take(piece));
const brief = (reports: readonly UsageReport[]) =>
  reports.map(({ usage, model }) => [model, usage.inputTokens, usage.outputTokens]);

test('each answer is reported when it is over, with its model', () => {
  const meter = new UsageMeter(false);
  assert.equal(brief(take(meter, answer('a', 10, 5))), [['large', 10, 5]]);
  assert.equal(brief(take(meter, answer('b', 20, 6, 'small'))), [['small', 20, 6]]);
});

test('the result of a turn reports nothing that its answers have', () => {
  const meter = new UsageMeter(false);
  take(meter, answer('a', 10, 5));
  assert.equal(meter.readResultReports(createModelUsage({ large: [10, 5] })), []);
});

test('what subagents have used comes with the result, once, for their model', () => {
  const meter = new UsageMeter(false);
  take(meter, answer('a', 10, 5));
  assert.equal(
    brief(meter.readResultReports(createModelUsage({ large: [10, 5], small: [70, 7] }))),
    [['small', 70, 7]],
  );
});

test('an answer that broke off is reported when the next one begins, and once', () => {
  const meter = new UsageMeter(false);
  const [begin = {}] = answer('a', 10, 5);
  assert.equal(take(meter, [begin]), []);
  assert.equal(brief(take(meter, answer('b', 20, 6))), [
    ['large', 10, 1],
    ['large', 20, 6],
  ]);
  assert.equal(meter.readResultReports(createModelUsage({ large: [20, 6] })), []);
});

test('a later turn counts from the result of the one before', () => {
  const meter = new UsageMeter(false);
  take(meter, answer('a', 10, 5));
  meter.readResultReports(createModelUsage({ large: [10, 5] }));
  take(meter, answer('b', 20, 6));
  assert.equal(
    brief(meter.readResultReports(createModelUsage({ large: [30, 11], small: [1, 1] }))),
    [['small', 1, 1]],
  );
});

test('a session that continues another does not count what that one has used', () => {
  const meter = new UsageMeter(true);
  take(meter, answer('a', 10, 5));
  const result = {
    ...createModelUsage({ large: [1_010, 505] }),
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  assert.equal(meter.readResultReports(result), []);
});

test('answers of a turn without a result are reported at its end', () => {
  const meter = new UsageMeter(false);
  const [begin = {}] = answer('a', 10, 5);
  take(meter, [begin]);
  assert.equal(brief(meter.rest()), [['large', 10, 1]]);
  assert.equal(meter.rest(), []);
});

test('what is written to a cache for an hour, and thoughts, are parts of the report', () => {
  const meter = new UsageMeter(false);
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 9,
    cache_creation: { ephemeral_1h_input_tokens: 4 },
    output_tokens: 8,
    output_tokens_details: { thinking_tokens: 3 },
  };
  take(meter, [{ type: 'assistant', message: { id: 'a', model: 'large', usage } }]);
  assert.equal(meter.rest()[0]?.usage, {
    inputTokens: 10,
    outputTokens: 8,
    cachedInputTokens: 0,
    cacheWriteTokens: 9,
    cacheWrite1hTokens: 4,
    reasoningTokens: 3,
  });
});

for (const wrong of [-5_000, 0.4, Number.POSITIVE_INFINITY, 2 ** 53, '12', {}])
  test(`an answer of ${JSON.stringify(wrong)} tokens is no report`, () => {
    const meter = new UsageMeter(false);
    const reports = take(meter, answer('a', wrong, wrong));
    assert.equal(
      reports.map(({ usage }) => [usage.inputTokens, usage.outputTokens]),
      [[0, 1]],
    );
    assert.ok(meter.endTurn().problem);
  });

test('a wrong count is named at the end of its turn, and not again', () => {
  const meter = new UsageMeter(false);
  meter.readResultReports({ usage: { input_tokens: -5, output_tokens: 1e12 } });
  const { isCounted, problem } = meter.endTurn();
  assert.is(isCounted, false);
  assert.match(problem ?? '', 'input tokens: -5');
  assert.equal(meter.endTurn(), { isCounted: false, problem: null });
});

test('what the program has counted of a model is not taken where it is no count', () => {
  const meter = new UsageMeter(false);
  assert.equal(
    meter.readResultReports(createModelUsage({ large: [-5, 0.4], small: [7, 1] })).length,
    1,
  );
  assert.match(meter.endTurn().problem ?? '', 'input tokens: -5');
});

test.run();
