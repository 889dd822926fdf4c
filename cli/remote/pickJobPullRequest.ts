import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { PrMapping } from '../../src/contract/schema/forge/pr.ts';

const LOCAL = 'local';

const formatPrIds = (prs: readonly PrMapping[]): string => prs.map(({ prId }) => prId).join(', ');

/**
 * Id of the pull request of a job: the one that is named by its id or number, else the only open
 * one. Throws SvcError `bad-argument`, `not-found`, which lists those that exist.
 */
export async function pickJobPullRequest(
  client: Client,
  job: string,
  prArgument: string | undefined,
): Promise<string> {
  const { prMappings } = await client.job(job);
  const all = `${job} has ${prMappings.length === 0 ? 'no pull request' : formatPrIds(prMappings)}`;
  if (prArgument !== undefined) {
    const matches = prMappings.filter(
      ({ prId, number }) => prId === prArgument || `${number}` === prArgument.replace(/^#/, ''),
    );
    const [one] = matches;
    if (one && matches.length === 1) return one.prId;
    if (matches.length > 1)
      throw new SvcError(
        'bad-argument',
        `--pr ${prArgument} can be ${formatPrIds(matches)}: give the full ID.`,
      );
    throw new SvcError('not-found', `There is no pull request ${prArgument}: ${all}.`);
  }
  const open = prMappings.filter(({ state }) => state === 'open');
  const [only] = open;
  if (only && open.length === 1) return only.prId;
  throw new SvcError(
    open.length === 0 ? 'not-found' : 'bad-argument',
    open.length === 0
      ? `There is no open pull request: ${all}.`
      : `Several pull requests are open: ${formatPrIds(open)}. Name one with --pr.`,
  );
}

/**
 * Repository and number of the pull request of a job on the local forge, as {@link pickJobPullRequest}
 * finds it. Throws SvcError `bad-argument` for one at another forge, which merges it itself.
 */
export async function localPullRequest(
  client: Client,
  job: string,
  prArgument: string | undefined,
): Promise<{ repo: string; number: number }> {
  const id = await pickJobPullRequest(client, job, prArgument);
  const { prMappings } = await client.job(job);
  const prMapping = prMappings.find(({ prId }) => prId === id);
  if (prMapping?.forge === LOCAL) return prMapping;
  throw new SvcError(
    'bad-argument',
    `${id} is not on the local forge. Merge it there: ${prMapping?.url ?? id}`,
  );
}
