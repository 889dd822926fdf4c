import { at, listAt } from '../../../lib/untrusted.ts';
import type { PrSubject } from '../../../contract/hook.ts';

const numbersIn = (list: readonly unknown[]): number[] =>
  list.map((one) => at(one, 'number')).filter((number) => typeof number === 'number');

/**
 * The pull requests that a delivery of GitHub is about; null for one that concerns none. Nothing
 * else of it is used: what happened is read from GitHub, in its order.
 */
export function subjectOf(payload: unknown): PrSubject | null {
  const repo = at(payload, 'repository', 'full_name');
  if (typeof repo !== 'string') return null;
  const about = (numbers: number[] | null): PrSubject | null =>
    numbers?.length === 0 ? null : { repo, numbers };
  const pr = at(payload, 'pull_request');
  if (pr !== undefined) {
    const number = at(payload, 'number');
    const outer = typeof number === 'number' && at(pr, 'number') === undefined ? [number] : [];
    return about(numbersIn([pr]).concat(outer));
  }
  const issue = at(payload, 'issue');
  if (issue !== undefined) {
    return at(issue, 'pull_request') === undefined ? null : about(numbersIn([issue]));
  }
  const run = at(payload, 'check_run');
  const suite = at(payload, 'check_suite');
  if (run !== undefined || suite !== undefined) {
    // A check of a commit from another repository names no pull request.
    const named = numbersIn(listAt(run ?? suite, 'pull_requests'));
    return about(named.length > 0 ? named : null);
  }
  return typeof at(payload, 'sha') === 'string' ? about(null) : null;
}
