import type { PrSubject } from '../contract/hook.ts';

const recordOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>;

const numbersIn = (list: unknown): number[] =>
  Array.isArray(list) ? list.map((one) => recordOf(one).number).filter((number) => typeof number === 'number') : [];

/**
 * The pull requests that a delivery of GitHub is about; null for one that concerns none. Nothing else of it is used: what happened
 * is read from GitHub, in its order.
 */
export function subjectOf(payload: unknown): PrSubject | null {
  const { repository, number, pull_request: pr, issue, check_run: run, check_suite: suite, sha } = recordOf(payload);
  const repo = recordOf(repository).full_name;
  if (typeof repo !== 'string') return null;
  const about = (numbers: number[] | null): PrSubject | null => (numbers?.length === 0 ? null : { repo, numbers });
  if (pr !== undefined)
    return about(numbersIn([pr]).concat(typeof number === 'number' && recordOf(pr).number === undefined ? [number] : []));
  if (issue !== undefined) return recordOf(issue).pull_request === undefined ? null : about(numbersIn([issue]));
  const checked = recordOf(run ?? suite);
  if (run !== undefined || suite !== undefined) {
    // A check of a commit from another repository names no pull request.
    const named = numbersIn(checked.pull_requests);
    return about(named.length > 0 ? named : null);
  }
  return typeof sha === 'string' ? about(null) : null;
}
