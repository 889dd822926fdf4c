import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import type { PrAddress } from '../../../contract/forge/forge.ts';
import { expectNumber, expectText } from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import type { GithubClient } from './client.ts';

type RestPull = Awaited<ReturnType<GithubClient['octokit']['rest']['pulls']['get']>>['data'];

/** A pull request as the REST API shows it. Throws SvcError `unreachable` where it cannot be read. */
export async function readRestPr(
  client: GithubClient,
  { repo, number }: PrAddress,
): Promise<RestPull> {
  const what = describePullRequest(repo, number);
  const pr = await client.get(what, ({ rest }) =>
    rest.pulls.get({ ...client.place(repo), pull_number: number }),
  );
  return readAnswer(client.server, what, () => {
    expectNumber(pr.number, 'its number');
    expectText(pr.state, 'its state');
    expectText(pr.head?.ref, 'its branch');
    expectText(pr.base?.ref, 'its base branch');
    expectText(pr.base.repo?.full_name, 'the name of its repository');
    return pr;
  });
}

/** Throws as `readRestPr`. */
export const readRestHead = (client: GithubClient, pr: RestPull): string =>
  readAnswer(client.server, describePullRequest(pr.base.repo.full_name, pr.number), () =>
    expectText(pr.head.sha, 'its newest commit'),
  );
