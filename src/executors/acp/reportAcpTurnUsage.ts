import { NO_USAGE } from '../../base/spending/usageSum.ts';
import type { UsageCount } from '../process/usageCount.ts';
import { readPromptUsage } from './readPromptUsage.ts';
import type { ServerEvents } from './serverEvents.ts';

/** Counts the tokens of a turn that is over: those of the events, else those of the answer. */
export async function reportAcpTurnUsage(
  count: UsageCount,
  events: Pick<ServerEvents, 'ofTurn'> | null,
  response: unknown,
): Promise<void> {
  const { isKnown, problem } = (await events?.ofTurn()) ?? { isKnown: false, problem: null };
  const counts =
    readPromptUsage(response) ?? (problem === null ? null : { usage: NO_USAGE, problem });
  count.endTurn(isKnown ? null : counts, problem);
}
