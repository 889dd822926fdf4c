import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeOperations } from '../../../contract/forge/forge.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import type { Project, TrainCar } from './answers.ts';
import type { GitlabClient } from './client.ts';

type Merge = ForgeOperations['merge_pr'];

export const ON_TRAIN =
  'it is on the merge train, and GitLab merges it when the pipeline of the train has passed.';

/** The answer of a server or a licence without merge trains. */
const isWithoutTrains = (error: unknown): boolean =>
  error instanceof SvcError &&
  (error.code === 'forbidden' || error.code === 'not-found' || error.data.status === 400);

/** An immediate merge would bypass the train, and restart it for everybody on it. */
export async function hasMergeTrains(client: GitlabClient, slug: string): Promise<boolean> {
  const { merge_trains_enabled: enabled } = await client.rest.get<Project>(
    `repository ${slug}`,
    client.project(slug),
  );
  return enabled === true;
}

const buildCarPath = (client: GitlabClient, { repo, number }: Merge): string =>
  `${client.project(repo)}/merge_trains/merge_requests/${number}`;

export async function joinMergeTrain(
  client: GitlabClient,
  args: Merge,
  fields: { sha: string | null; squash?: boolean },
): Promise<void> {
  const what = `the merge of ${describePullRequest(args.repo, args.number)}`;
  const { body } = await client.rest.sendForAnswer(
    what,
    'POST',
    buildCarPath(client, args),
    fields,
  );
  // The answer is one car, or the whole train.
  const cars = (Array.isArray(body) ? body : [body]) as (Partial<TrainCar> | null)[];
  if (!cars.some((car) => car?.merge_request?.iid === args.number))
    throw createUnconfirmedError(client.rest.server, what);
}

/** Its car on a train, if the token's account added it; null = none. */
export async function findOwnCar(client: GitlabClient, args: Merge): Promise<TrainCar | null> {
  if (!(await hasMergeTrains(client, args.repo))) return null;
  try {
    const car = await client.rest.get<TrainCar>(
      describePullRequest(args.repo, args.number),
      buildCarPath(client, args),
    );
    return car.user?.id === (await client.self()).id ? car : null;
  } catch (error) {
    if (isWithoutTrains(error)) return null;
    throw error;
  }
}
