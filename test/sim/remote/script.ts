import type { Hands } from '../agents.ts';
import { type End, END } from '../script.ts';
import type { ForgeStorm } from './storm.ts';

/** Attempts at something that must be done in one session. */
const ATTEMPTS = 5;

const ENDS: readonly End[] = [
  { stopReason: 'error', error: 'the model does not answer' },
  { stopReason: 'pause_turn', error: null },
];

/** An agent that keeps a pull request open, says something now and then, and waits. */
export const play =
  (storm: ForgeStorm) =>
  async (hands: Hands): Promise<End> => {
    const { chance, jobId } = hands;
    await hands.sleep(chance.wait(10, 5_000));
    const branches = chance.named('siblings').is(0.2) ? [jobId, `${jobId}-b`] : [jobId];
    for (const head of branches) {
      const number = await openPrWithRetries(storm, hands, head);
      if (number === null) continue;
      await hands.sleep(chance.wait(10, 8_000));
      if (chance.is(0.2))
        await hands.tool(storm.tool('post_pr_comment'), { number, body: `said in ${hands.phase}` });
      if (chance.is(0.03)) await answerLastComment(storm, hands, number);
      if (chance.is(0.02)) await hands.tool(storm.tool('approve_pr'), { number });
    }
    if (hands.stormy && chance.is(0.02)) return chance.pick(ENDS);
    for (let n = 0; n < ATTEMPTS; n += 1)
      if (!(await hands.tool('await_event', {})).failed) return END;
    return END;
  };

async function openPrWithRetries(
  storm: ForgeStorm,
  hands: Hands,
  head: string,
): Promise<number | null> {
  const known = storm.branch(head, hands.jobId);
  if (known !== null && hands.chance.is(0.9)) return known;
  for (let n = 0; n < ATTEMPTS; n += 1) {
    const { failed, data } = await hands.tool(storm.tool('create_pr'), { head, title: head });
    if (!failed) return Number(data.number);
    await hands.sleep(60_000);
  }
  return null;
}

async function answerLastComment(storm: ForgeStorm, hands: Hands, number: number): Promise<void> {
  const { failed, data } = await hands.tool(storm.tool('get_pr_comments'), { number });
  const [last] = failed ? [] : (data.comments as { id: string }[]).slice(-1);
  if (last)
    await hands.tool(storm.tool('reply_to_comment'), { number, commentId: last.id, body: 'Done.' });
}
