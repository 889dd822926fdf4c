import type { WebhookManifest } from '../../../contract/schema/runner/plugin.ts';
import { readGithubEvent } from './readGithubEvent.ts';
import { createSignedReader } from '../../hooks/createSignedReader.ts';
import { readAtPath, readListAt } from '../../../base/json/untrusted.ts';
import type { PrSubject } from '../../../contract/forge/hook.ts';

const listPrNumbers = (list: readonly unknown[]): number[] =>
  list.map((one) => readAtPath(one, 'number')).filter((number) => typeof number === 'number');

/**
 * The pull requests that a delivery of GitHub is about; null for none. Only this is used: what
 * happened is read from GitHub, in its order.
 */
export function readGithubSubject(payload: unknown): PrSubject | null {
  const repo = readAtPath(payload, 'repository', 'full_name');
  if (typeof repo !== 'string') return null;
  const about = (numbers: number[] | null): PrSubject | null =>
    numbers?.length === 0 ? null : { repo, numbers };
  const pr = readAtPath(payload, 'pull_request');
  if (pr !== undefined) {
    const number = readAtPath(payload, 'number');
    const outer =
      typeof number === 'number' && readAtPath(pr, 'number') === undefined ? [number] : [];
    return about(listPrNumbers([pr]).concat(outer));
  }
  const issue = readAtPath(payload, 'issue');
  if (issue !== undefined) {
    return readAtPath(issue, 'pull_request') === undefined ? null : about(listPrNumbers([issue]));
  }
  const run = readAtPath(payload, 'check_run');
  const suite = readAtPath(payload, 'check_suite');
  if (run !== undefined || suite !== undefined) {
    // A check of a commit from another repository names no pull request.
    const named = listPrNumbers(readListAt(run ?? suite, 'pull_requests'));
    return about(named.length > 0 ? named : null);
  }
  return typeof readAtPath(payload, 'sha') === 'string' ? about(null) : null;
}

export const GITHUB_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature-256',
  format: 'prefixed-hex',
  idHeader: 'X-GitHub-Delivery',
};

export const githubWebhook = createSignedReader({
  id: 'github',
  signature: () => GITHUB_SIGNATURE,
  idHeaders: ['X-GitHub-Delivery'],
  // X-GitHub-Event is not signed, so the payload decides.
  read: (payload) => ({ subject: readGithubSubject(payload), event: readGithubEvent(payload) }),
});
