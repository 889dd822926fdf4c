import { Ansis } from 'ansis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findMessageToAskAgain } from '../../cli/input/parsePlanMessage.ts';
import { formatChatCost, formatPlanResult } from '../../cli/render/job/formatPlanResult.ts';
import { FINDINGS_CUT, RUN_REPAIRED, RUN_UNREADABLE } from '../../src/base/agents/planNotes.ts';
import type { Investigation } from '../../src/contract/schema/planning/intake.ts';
import { CHAT, ChatStage } from '../support/chats/chatStage.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('what svc plan prints');

const PLAIN = new Ansis(0);

/** A chat with one answer. */
async function answerTurn(text: string): Promise<Investigation> {
  const stage = await ChatStage.open(async ({ say }) => {
    say(text);
    return undefined;
  });
  await stage.answer('Why?');
  const session = await stage.intake.investigation(CHAT);
  await stage.close();
  return session;
}
const printPlan = async (text: string): Promise<string> =>
  formatPlanResult(await answerTurn(text), PLAIN);

test('a run whose values were repaired is said to be', async () => {
  assert.match(await printPlan("<run>\n{'description': 'Fix it',}\n</run>"), RUN_REPAIRED);
});

test('a run that cannot be read is reported', async () => {
  assert.match(await printPlan('<run>\nrun it\n</run>'), RUN_UNREADABLE);
});

test('findings that were cut are said to be', async () => {
  const session = await answerTurn('<findings>\nShort.\n</findings>');
  const { findings } = session;
  assert.ok(findings);
  const cut = formatPlanResult({ ...session, findings: { ...findings, cut: true } }, PLAIN);
  assert.match(cut, FINDINGS_CUT);
  assert.not.match(formatPlanResult(session, PLAIN), FINDINGS_CUT);
});

test('what an executor does not report is unknown', async () => {
  const { counters } = await answerTurn('Yes.');
  const cost = { usd: null, priced: false };
  assert.is(
    formatChatCost({ counters: { ...counters, cost } }),
    '1 turn, 0 look-ups, tokens unknown, context unknown, unpriced',
  );
});

test('what it reports is printed', async () => {
  const { counters } = await answerTurn('Yes.');
  const usage = { inputTokens: 900, outputTokens: 80, cachedInputTokens: 0 };
  const cost = { usd: 0.25, priced: true };
  assert.is(
    formatChatCost({ counters: { ...counters, usage, contextTokens: 500, cost } }),
    '1 turn, 0 look-ups, 900 tokens in, 80 out, 500 in context, $0.250',
  );
});

test('--again asks the last message that was not answered to its end', async () => {
  const session = await answerTurn('Yes.');
  const [turn] = session.turns;
  assert.ok(turn);
  const lost = { ...turn, n: 2, state: 'lost' as const, message: 'And then?' };
  assert.is(
    findMessageToAskAgain({ ...session, turns: [turn, lost, { ...turn, n: 3 }] }),
    'And then?',
  );
});

test('--again is refused where every message was answered', async () => {
  const session = await answerTurn('Yes.');
  const { code } = await catchRefusal(async () => findMessageToAskAgain(session));
  assert.is(code, 'not-possible-now');
});

test.run();
