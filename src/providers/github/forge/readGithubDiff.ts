import { MAX_DIFF_BYTES } from '../../account/answerBody.ts';
import type { DiffEnds } from '../../rest/readLargeDiff.ts';
import { expectDiff } from '../../rest/expectDiff.ts';
import type { GithubClient } from './client.ts';
import { readRestPr } from './readRestPr.ts';

const describeDiffPr = (slug: string, number: number): string => `pull request ${slug}#${number}`;

/** The diff as GitHub makes it: of at most 300 files and 20,000 lines. Throws SvcError. */
export const readGithubDiff = (
  client: GithubClient,
  slug: string,
  number: number,
): Promise<string> =>
  client.run(describeDiffPr(slug, number), async (octokit) => {
    const { data, headers, status } = await octokit.rest.pulls.get({
      ...client.place(slug),
      pull_number: number,
      mediaType: { format: 'diff' },
      request: { fetch: client.fetchUpTo(MAX_DIFF_BYTES) },
    });
    // With this media type the answer is a text, which the types of the client do not know.
    const text: unknown = data;
    const contentType = headers['content-type'] ?? null;
    return expectDiff(client.server, `the diff of ${describeDiffPr(slug, number)}`, {
      text,
      contentType,
      status,
    });
  });

/** What GitHub compares; it has the newest commit under a ref of the pull request, also of a fork. */
export async function readGithubDiffEnds(
  client: GithubClient,
  slug: string,
  number: number,
): Promise<DiffEnds> {
  const { base, head } = await readRestPr(client, { repo: slug, number });
  return { base: base.sha, head: head.sha, ref: `refs/pull/${number}/head` };
}
