import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UsageReport } from '../../../src/contract/session/usageReport.ts';
import { CHAT, ChatStage } from '../../support/chats/chatStage.ts';

const test = suite('plan-mode chats: costs');

const call = (inputTokens: number, model: string | null = null): UsageReport => ({
  type: 'usage',
  usage: { inputTokens, outputTokens: 10, cachedInputTokens: 0 },
  model,
});

const listCalls = (stage: ChatStage) =>
  stage.store.rows
    .all('usage_calls', { subject: `chat:${CHAT}` })
    .map(({ visit, seq, phase, model, input_tokens, micro_usd, source }) => ({
      visit,
      seq,
      phase,
      model,
      input_tokens,
      micro_usd,
      source,
    }));

test('each call of a turn is a row of the ledger, before the turn is over (PLN-1)', async () => {
  let during = 0;
  const stage = await ChatStage.open(async ({ part, look, say }) => {
    part(call(100, 'm'));
    await look('scm_read_file', { path: 'src/a.ts' });
    during = listCalls(stage).length;
    part(call(200, 'm'));
    say('Found it.');
    return { usage: { inputTokens: 300, outputTokens: 20, cachedInputTokens: 0 } };
  });
  await stage.say('Where is it?');
  assert.is(during, 1);
  assert.equal(
    listCalls(stage).map(({ visit, seq, phase, input_tokens }) => [
      visit,
      seq,
      phase,
      input_tokens,
    ]),
    [
      [1, 1, 'chat', 100],
      [1, 2, 'chat', 200],
    ],
  );
  await stage.close();
});

test('an endpoint on this machine costs nothing (PLN-1)', async () => {
  const stage = await ChatStage.open(async ({ part, say }) => {
    part(call(100, 'm'));
    say('Yes.');
    return undefined;
  });
  await stage.say('Is it?');
  assert.equal((await stage.intake.investigation(CHAT)).counters.cost, { usd: 0, priced: true });
  await stage.close();
});

test('a turn whose price is not known makes the chat unpriced (PLN-1)', async () => {
  const stage = await ChatStage.open(async ({ part, say }) => {
    part(call(100, 'm'));
    say('Yes.');
    return undefined;
  });
  stage.chats.endpoint = 'https://models.example.com/v1';
  await stage.say('Is it?');
  assert.equal((await stage.intake.investigation(CHAT)).counters.cost, {
    usd: null,
    priced: false,
  });
  await stage.close();
});

test('a chat costs what its calls cost by the prices of the release (PLN-1)', async () => {
  const stage = await ChatStage.open(async ({ part, say }) => {
    part(call(1_000_000, 'claude-sonnet-4-0'));
    say('Yes.');
    return undefined;
  });
  stage.chats.endpoint = 'https://api.anthropic.com/v1';
  await stage.say('Is it?');
  const [row] = listCalls(stage);
  const { cost } = (await stage.intake.investigation(CHAT)).counters;
  assert.ok((row?.micro_usd ?? 0) > 0);
  assert.equal(cost, { usd: (row?.micro_usd ?? 0) / 1_000_000, priced: true });
  await stage.close();
});

test('a turn that answers and reports nothing leaves a row without a cost (PLN-1)', async () => {
  const stage = await ChatStage.open(async ({ say }) => {
    say('Yes.');
    return undefined;
  });
  await stage.say('Is it?');
  assert.equal(
    listCalls(stage).map(({ source, micro_usd }) => [source, micro_usd]),
    [['none', null]],
  );
  await stage.close();
});

test('what a removed chat has cost stays (PLN-1)', async () => {
  const stage = await ChatStage.open(async ({ part, say }) => {
    part(call(100, 'm'));
    say('Yes.');
    return undefined;
  });
  await stage.say('Is it?');
  await stage.intake.removeInvestigation(CHAT);
  assert.is(listCalls(stage).length, 1);
  await stage.close();
});

test.run();
