import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Script } from '../../../demo/model/script.ts';
import type { SessionEvent } from '../../../src/contract/session/executor.ts';
import type { UsageReport } from '../../../src/contract/session/usageReport.ts';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { openStage, type Stage } from '../../support/agents/executorContract/stage.ts';

const test = suite('builtin session: what its model has used');

const open = (api: 'anthropic' | 'openai', work: Script) =>
  openStage(builtinSubject(api), { work });
const listUsageReports = ({ events }: Pick<Stage, 'events'>): UsageReport[] =>
  events.filter((event) => event.type === 'usage');

const WORK: Script = [
  { calls: [{ shell: 'true' }], tokens: { input: 100, output: 10, cached: 40, written: 30 } },
  { say: 'Done.', tokens: { input: 200, output: 20, cached: 0 } },
];

test('each call of the model is a report, with the model that the endpoint names', async () => {
  await using stage = await open('anthropic', WORK);
  await stage.play();
  assert.equal(
    listUsageReports(stage).map(({ usage, model }) => [
      usage.inputTokens,
      usage.outputTokens,
      model,
    ]),
    [
      [100, 10, 'claude-sonnet-4-5'],
      [200, 20, 'claude-sonnet-4-5'],
    ],
  );
});

test('what a cache held is a part of the report', async () => {
  await using stage = await open('anthropic', WORK);
  await stage.play();
  const [first] = listUsageReports(stage);
  assert.is(first?.usage.cachedInputTokens, 40);
  assert.is(first?.usage.cacheWriteTokens, 30);
});

test('the model is not asked again before the report of its answer is kept', async () => {
  await using stage = await open('anthropic', WORK);
  let keep = () => {};
  const reported = new Promise<void>((resolve) => {
    void stage.start({
      onEvent(event: SessionEvent) {
        void stage.request.onEvent(event);
        if (event.type !== 'usage' || listUsageReports(stage).length > 1) return undefined;
        resolve();
        return new Promise<void>((resolve) => {
          keep = resolve;
        });
      },
    });
  });
  await reported;
  // The tool that it calls answers at once: nothing else is waited for.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.is(stage.model.requests.played.length, 1);
  keep();
  await stage.until(({ type }) => type === 'turn');
  assert.is(stage.model.requests.played.length, 2);
});

test('an answer that breaks off is estimated where its endpoint has counted nothing, and in no sum', async () => {
  await using stage = await open('openai', [{ say: 'It begins and breaks off.', cut: 1 }]);
  const { usage } = await stage.play();
  const [broken, whole] = listUsageReports(stage);
  assert.is(broken?.source, 'estimated');
  assert.ok((broken?.usage.inputTokens ?? 0) > 0);
  assert.is(whole?.source, undefined);
  assert.is(usage?.inputTokens, whole?.usage.inputTokens);
});

test('an answer that breaks off counts with what its endpoint has reported', async () => {
  await using stage = await open('anthropic', [
    { say: 'It begins and breaks off.', cut: 1, tokens: { input: 100, output: 10, cached: 0 } },
  ]);
  const { usage } = await stage.play();
  assert.equal(
    listUsageReports(stage).map(({ source }) => source),
    [undefined, undefined],
  );
  assert.is(usage?.inputTokens, 200);
});

test.run();
