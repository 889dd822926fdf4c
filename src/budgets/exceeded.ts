import { amountText } from '../domain/budgetScopes.ts';
import type { Exceeded } from '../schema/exceeded.ts';
import type { Account } from './admit.ts';
import type { CapSource } from './capsOf.ts';
import { nextWindow } from './windows.ts';

const SET_BY: Readonly<Record<CapSource, string>> = {
  config: 'the configuration',
  workflow: 'the workflow',
  params: "the job's params",
  person: 'a person',
};

/** A budget in words, such as `the budget of repository acme/shop`. */
export function budgetName({
  scope,
  key,
  window,
  metric,
}: Pick<Account, 'scope' | 'key' | 'window' | 'metric'>): string {
  if (scope === 'day' || scope === 'week') return `the budget of the ${scope} ${window} (UTC)`;
  if (scope === 'runner') return 'the budget of this runner';
  if (scope === 'phase' && metric === 'visits')
    return `the budget of all visits of the phase ${key.slice(key.indexOf('/') + 1)}`;
  if (scope === 'session' || scope === 'phase')
    return `the budget of this ${scope === 'phase' ? 'visit of the phase' : 'session'}`;
  return `the budget of ${scope} ${key}`;
}

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
    text: `${budgetName(account)} is spent: ${used} (set by ${SET_BY[by]})${few}. ${itself}Anyone who may command jobs can raise it: svc budget raise --${metric} <more>, or a resume with a budget; nothing is lost.`,
  };
}
