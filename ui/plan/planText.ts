import { formatCost } from '../../src/base/spending/formatCost.ts';
import type {
  IntakeCounters,
  Investigation,
  ReadinessState,
} from '../../src/contract/schema/planning/intake.ts';
import { formatShortCount } from '../jobs/jobText.ts';

export const READINESS: Readonly<Record<ReadinessState, string>> = {
  investigating: 'investigating',
  ready: 'ready',
  'no-run-needed': 'no run needed',
};

/** A sum of money; one that is not known is not called nothing. */
export const describeChatCost = ({ usd, priced }: IntakeCounters['cost']): string =>
  formatCost({ usd: priced ? usd : null, unpriced: 0 });

/** What a conversation has used, and how much the model is sent; either may be unreported. */
export function describeChatSpending({
  turns,
  lookups,
  usage,
  contextTokens,
  cost,
}: IntakeCounters): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    `${lookups} ${lookups === 1 ? 'look-up' : 'look-ups'}`,
    tokens === 0 ? 'tokens unknown' : `${formatShortCount(tokens)} tokens`,
    contextTokens === null ? 'context unknown' : `${formatShortCount(contextTokens)} in context`,
    describeChatCost(cost),
  ].join(', ');
}

/** How far the repository has moved on since the conversation looked at it; null = it has not. */
export function describeDrift({ pinned }: Pick<Investigation, 'pinned'>): string | null {
  if (pinned === null || pinned.behind === null || pinned.behind === 0) return null;
  const { ref, behind, changed } = pinned;
  const files =
    changed.length === 0
      ? 'no cited file has changed'
      : `${changed.length} cited ${changed.length === 1 ? 'file has' : 'files have'} changed: ${changed.join(', ')}`;
  const commits = behind === 1 ? '1 commit' : `${behind} commits`;
  return `${ref} is ${commits} ahead of what this chat looks at; ${files}.`;
}
