import { SvcError } from '../../../base/errors/errors.ts';
import { expectAnsweredObject } from '../../rest/expectAnsweredObject.ts';
import { Traces } from '../../rest/traces.ts';
import type { PrAddress } from '../../../contract/forge/forge.ts';
import type { GithubClient } from './client.ts';
import { readGraphqlProblems, toGraphqlRefusal } from './graphqlProblems.ts';
import { TRACED_AT_ONCE, buildTracesQuery } from './queries.ts';

export const CONSISTENCY_MS = 10_000;

/** One question for a hundred pull requests. */
export const createGithubTraces = (client: GithubClient): Traces =>
  new Traces({
    windowMs: CONSISTENCY_MS,
    async ask(prs) {
      const texts: (string | null | undefined)[] = [];
      for (let from = 0; from < prs.length; from += TRACED_AT_ONCE) {
        texts.push(...(await askGithubTraces(client, prs.slice(from, from + TRACED_AT_ONCE))));
      }
      return texts;
    },
  });

type TracedRepos = Record<string, { pullRequest: unknown } | null>;

async function askGithubTraces(
  client: GithubClient,
  prs: readonly PrAddress[],
): Promise<(string | null | undefined)[]> {
  const variables: Record<string, string | number> = {};
  prs.forEach((pr, n) => {
    const { owner, repo } = client.place(pr.repo);
    Object.assign(variables, { [`o${n}`]: owner, [`r${n}`]: repo, [`n${n}`]: pr.number });
  });
  const refused = new Set<unknown>();
  const what = 'the watched pull requests';
  const answer = await client.run(what, async (octokit) => {
    try {
      const data = await octokit.graphql<TracedRepos>(buildTracesQuery(prs.length), variables);
      return expectAnsweredObject(client.server, what, data);
    } catch (error) {
      // Some are gone or closed to the token: the answer still holds the others.
      const { data } = Object(error);
      if (error instanceof SvcError || data === null || typeof data !== 'object')
        throw toGraphqlRefusal(error);
      for (const { type, path } of readGraphqlProblems(error))
        if (type !== 'NOT_FOUND') refused.add(path[0]);
      return data as TracedRepos;
    }
  });
  return prs.map((_, n) => {
    const shown = answer[`p${n}`];
    if (shown?.pullRequest != null) return JSON.stringify(shown);
    // A pull request that the answer does not name may still exist, so it is read.
    if (shown === undefined && !refused.has(undefined)) return null;
    // A refused pull request is read, so that the refusal is reported; one that is gone is not. An
    // error without a name may be about any of them.
    return refused.has(`p${n}`) || refused.has(undefined) ? 'refused' : undefined;
  });
}
