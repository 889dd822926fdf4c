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
  wanted: string | undefined,
): Promise<string> {
  const { prMappings } = await client.job(job);
  const all = `${job} has ${prMappings.length === 0 ? 'no pull request' : formatPrIds(prMappings)}`;
  if (wanted !== undefined) {
    const found = prMappings.filter(
      ({ prId, number }) => prId === wanted || `${number}` === wanted.replace(/^#/, ''),
    );
    const [one] = found;
    if (one && found.length === 1) return one.prId;
    if (found.length > 1)
      throw new SvcError(
        'bad-argument',
        `--pr ${wanted} can be ${formatPrIds(found)}: give the whole ID.`,
      );
    throw new SvcError('not-found', `There is no pull request ${wanted}: ${all}.`);
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
  wanted: string | undefined,
): Promise<{ repo: string; number: number }> {
  const id = await pickJobPullRequest(client, job, wanted);
  const { prMappings } = await client.job(job);
  const found = prMappings.find(({ prId }) => prId === id);
  if (found?.forge === LOCAL) return found;
  throw new SvcError(
    'bad-argument',
    `${id} is not on the local forge. Merge it there: ${found?.url ?? id}`,
  );
}
