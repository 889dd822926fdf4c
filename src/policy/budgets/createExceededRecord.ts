import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import { describeBudgetOwner, describeCapSource } from '../../base/spending/describeBudgetOwner.ts';
import { formatAmount } from '../../base/spending/budgetScopes.ts';
import type { Exceeded } from '../../contract/schema/policy/exceeded.ts';
import type { Account } from './admitSession.ts';
import { computeNextWindow } from './resolveBudgetWindow.ts';

/** The record of a budget that stops a job: what, cap, spent, and who can do what about it. */
export function createExceededRecord(account: Account, at: number): Exceeded {
  const { scope, key, window, metric, cap, spent, by } = account;
  const until = computeNextWindow(scope, at);
  const usedText = `${formatAmount(metric, spent)} of ${formatAmount(metric, cap)}`;
  const few = spent < cap ? ', and too little is left to start a session' : '';
  const itself = until === null ? '' : `It continues by itself at ${formatUtcMinute(until)}. `;
  return {
    scope,
    key,
    window,
    metric,
    cap,
    spent,
    by,
    until,
    text: `the budget of ${describeBudgetOwner(account)} is spent: ${usedText} (${describeCapSource(by)})${few}. ${itself}To continue, raise it: svc budget raise --${metric} <more>, or resume with a budget; nothing is lost.`,
  };
}
