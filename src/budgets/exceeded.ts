import { budgetOwner, setByText } from '../domain/budgetName.ts';
import { amountText } from '../domain/budgetScopes.ts';
import type { Exceeded } from '../schema/exceeded.ts';
import type { Account } from './admit.ts';
import { nextWindow } from './windows.ts';

const minuteOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 16);

/** The record of a budget that stops a job: what, cap, spent, and who can do what about it. */
export function exceededOf(account: Account, at: number): Exceeded {
  const { scope, key, window, metric, cap, spent, by } = account;
  const until = nextWindow(scope, at);
  const used = `${amountText(metric, spent)} of ${amountText(metric, cap)}`;
  const few = spent < cap ? ', and what is left is too little to begin a session with' : '';
  const itself = until === null ? '' : `It continues by itself at ${minuteOf(until)} UTC. `;
  return {
    scope,
    key,
    window,
    metric,
    cap,
    spent,
    by,
    until,
    text: `the budget of ${budgetOwner(account)} is spent: ${used} (${setByText(by)})${few}. ${itself}Anyone who may command jobs can raise it: svc budget raise --${metric} <more>, or a resume with a budget; nothing is lost.`,
  };
}
