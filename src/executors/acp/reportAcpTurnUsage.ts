import { NO_USAGE } from '../../shared/spending/usageSum.ts';
import type { UsageCount } from '../process/usageCount.ts';
import { readPromptUsage } from './readPromptUsage.ts';
import type { ServerEvents } from './serverEvents.ts';

/** Reports what a turn has used: by the events of the agent's server, else by the turn's answer. */
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
