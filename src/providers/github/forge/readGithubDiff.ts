import { SvcError } from '../../../lib/errors.ts';
import { MAX_DIFF_BYTES } from '../../account/answerBody.ts';
import type { DiffEnds } from '../../rest/readLargeDiff.ts';
import type { GithubClient } from './client.ts';

const describeDiffPr = (slug: string, number: number): string => `pull request ${slug}#${number}`;

/** The diff as GitHub makes it: of at most 300 files and 20,000 lines. Throws SvcError. */
export const readGithubDiff = (
  client: GithubClient,
  slug: string,
  number: number,
): Promise<string> =>
  client.run(describeDiffPr(slug, number), async (octokit) => {
    const { data } = await octokit.rest.pulls.get({
      ...client.place(slug),
      pull_number: number,
      mediaType: { format: 'diff' },
      request: { fetch: client.fetchUpTo(MAX_DIFF_BYTES) },
    });
    // With this media type the answer is a text, which the types of the client do not know.
    const text: unknown = data;
    if (typeof text === 'string') return text;
    throw new SvcError(
      'unreachable',
      `${client.server.host} answers about the diff of ${describeDiffPr(slug, number)} with something other than a text.`,
      { data: { status: 200 } },
    );
  });

/** What GitHub compares; it has the newest commit under a ref of the pull request, also of a fork. */
export const readGithubDiffEnds = (
  client: GithubClient,
  slug: string,
  number: number,
): Promise<DiffEnds> =>
  client.run(describeDiffPr(slug, number), async (octokit) => {
    const { data } = await octokit.rest.pulls.get({ ...client.place(slug), pull_number: number });
    return { base: data.base.sha, head: data.head.sha, ref: `refs/pull/${number}/head` };
  });
