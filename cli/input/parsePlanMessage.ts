import type { Investigation } from '../../src/contract/schema/planning/intake.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

/** What a person says in a chat: a text, or the last message once more. */
export function parsePlanMessage(
  text: string | undefined,
  again: boolean,
): { text: string } | 'again' {
  if (text !== undefined && again)
    throw new SvcError('bad-argument', 'Give either a text or --again, not both.');
  if (again) return 'again';
  if (text !== undefined) return { text };
  throw new SvcError(
    'bad-argument',
    'Nothing is asked. Give the text, or - and the text on standard input: svc plan "Why does the checkout fail?"',
  );
}

const UNANSWERED: ReadonlySet<string> = new Set(['lost', 'failed', 'interrupted']);

/** The last message that was not fully answered. Throws SvcError `not-possible-now` without one. */
export function findMessageToAskAgain({ sessionId, turns }: Investigation): string {
  const turn = turns.findLast(({ state }) => UNANSWERED.has(state));
  if (turn) return turn.message;
  throw new SvcError(
    'not-possible-now',
    `Every message of ${sessionId} has a complete answer. Give a text instead of --again.`,
  );
}
