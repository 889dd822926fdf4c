import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionEvent } from '../../src/contract/session/executor.ts';
import type { Metering } from '../../src/contract/session/metering.ts';
import { createMeteringCases } from '../../src/plugins/conformance/executorMetering.ts';

const test = suite('the conformance kit: how sessions are metered');

const USAGE: SessionEvent = {
  type: 'usage',
  usage: { inputTokens: 5, outputTokens: 1, cachedInputTokens: 0 },
};
type Take = (event: SessionEvent) => Promise<unknown>;

/** What the cases say of a short session, by their names: empty = passed. */
async function judged(declared: Metering, runShort: (take: Take) => Promise<unknown>) {
  const verdicts: Record<string, string> = {};
  for (const { name, run } of createMeteringCases(declared, runShort))
    verdicts[name] = await run().then(
      () => '',
      ({ message }: Error) => message,
    );
  return verdicts;
}
const STOPS: Metering = { reportsUsage: 'each-call', stopsBetweenCalls: true };

test('what is not declared is not tried', async () => {
  assert.equal(await judged({}, async () => {}), {});
});

test('calls in sequence pass', async () => {
  const verdicts = await judged(STOPS, async (take) => {
    await take(USAGE);
    await take(USAGE);
  });
  assert.equal(verdicts, { 'usage-is-reported': '', 'stops-between-calls': '' });
});

test('a call that begins before the report of the last one is taken is found out', async () => {
  const verdicts = await judged(STOPS, (take) => Promise.all([take(USAGE), take(USAGE)]));
  assert.is(verdicts['stops-between-calls'], '1 reports came while the previous one was blocked');
});

test('reports that are declared and not made are found out', async () => {
  const verdicts = await judged({ reportsUsage: 'each-turn' }, async () => {});
  assert.is(
    verdicts['usage-is-reported'],
    'capabilities.reportsUsage is each-turn, but the short session has reported none',
  );
});

test.run();
