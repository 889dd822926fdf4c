import { describePullRequest } from '../../../shared/text/describePullRequest.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import type { ForgeOperations } from '../../../contract/forge/forge.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import type { Project, TrainCar } from './answers.ts';
import type { GitlabClient } from './client.ts';

type Merge = ForgeOperations['merge_pr'];

export const ON_TRAIN =
  'it is on the merge train, and GitLab merges it when the pipeline of the train has passed.';

/** What a server or a licence without merge trains answers about them. */
const isWithoutTrains = (error: unknown): boolean =>
  error instanceof SvcError &&
  (error.code === 'forbidden' || error.code === 'not-found' || error.data.status === 400);

/** A merge at once would jump the train, and start it again for everybody on it. */
export async function hasMergeTrains(client: GitlabClient, slug: string): Promise<boolean> {
  const { merge_trains_enabled: enabled } = await client.rest.get<Project>(
    `repository ${slug}`,
    client.project(slug),
  );
  return enabled === true;
}

const buildCarPath = (client: GitlabClient, { repo, number }: Merge): string =>
  `${client.project(repo)}/merge_trains/merge_requests/${number}`;

/** Puts the reviewed commit on the train of its target branch. */
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
  // One car, or the train with it.
  const cars = (Array.isArray(body) ? body : [body]) as (Partial<TrainCar> | null)[];
  if (!cars.some((car) => car?.merge_request?.iid === args.number))
    throw createUnconfirmedError(client.rest.server, what);
}

/** Its place on a train that the token's account put it on; null = none. */
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
