import { mkdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionRequest } from '../../../src/contract/session/executor.ts';
import { createClaudeExecutor } from '../../../src/executors/claude/createClaudeExecutor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { fakeSdk, type Program, says } from '../../support/agents/fakeClaudeSdk.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';

const test = suite('executor claude: dollars');

const LIMITS = { timeMs: 30_000, outputBytes: 1_000_000 };

/** Plays a session to its end. */
async function play(program: Program, more: Partial<SessionRequest>) {
  await using prepared = await prepare(null, {
    llm: { provider: 'claude', model: null, reasoningEffort: null },
    ...more,
  });
  await mkdir(prepared.request.overlayDir);
  const load = () => Promise.resolve({ sdk: fakeSdk(program), version: '0.3.329' });
  const config = { apiKey: 'a-key' };
  const executor = createClaudeExecutor({ clock: systemClock, config, graceMs: 100, load });
  const session = await executor.run(prepared.request);
  session.steering?.close();
  const result = await session.result;
  const lines = prepared.events.flatMap((event) => (event.type === 'log' ? [event.line] : []));
  return { result, lines };
}

/** What the program was given to spend. */
const readGivenBudget = async (more: Partial<SessionRequest>): Promise<number | undefined> => {
  let usd: number | undefined;
  await play(async function* ({ next, options }) {
    usd = options.maxBudgetUsd;
    for (let item = await next(); item; item = await next())
      yield* [says.started(item), says.init(), says.begin(), says.text('Yes.'), says.result()];
  }, more);
  return usd;
};

test('the program is given the dollars that are left of the budgets (JOB-16)', async () => {
  assert.is(await readGivenBudget({ limits: { ...LIMITS, usd: 1.5 } }), 1.5);
});

test('the program is given no dollars where none are capped', async () => {
  assert.is(await readGivenBudget({ limits: LIMITS }), undefined);
});

test('a program that continues a session is given none: it counts what that has cost before', async () => {
  assert.is(
    await readGivenBudget({ limits: { ...LIMITS, usd: 1.5 }, resume: 'session-0' }),
    undefined,
  );
});

/** Ends at its own cap on dollars. */
const overspent: Program = async function* ({ next }) {
  const item = await next();
  if (item) yield* [says.started(item), says.init(), says.begin()];
  yield { type: 'result', subtype: 'error_max_budget_usd', is_error: true, errors: [] };
  await next();
};

test('a program that ends at its own cap on dollars was interrupted, and has not failed', async () => {
  const { result } = await play(overspent, { limits: { ...LIMITS, usd: 0.5 } });
  assert.equal(result, { stopReason: 'interrupted', error: null, usage: null });
});

test('the log says that the program has ended at its own cap on dollars', async () => {
  const { lines } = await play(overspent, { limits: { ...LIMITS, usd: 0.5 } });
  assert.ok(
    lines.includes(
      'The agent reports that the remaining budget is spent, so its session was ended.',
    ),
  );
});

test.run();
