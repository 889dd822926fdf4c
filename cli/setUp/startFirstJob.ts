import { createClient } from '../../src/api/client/client.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { SetUpView } from '../../src/contract/schema/runner/setUpSteps.ts';
import { resolveConnection } from '../remote/resolveConnection.ts';
import { DEFAULT_WORKFLOW } from '../input/buildJobParams.ts';
import type { Io } from '../io.ts';

export interface FirstJobRequest {
  description: string;
  /** Slug; null = the only repository on this disk. */
  repo: string | null;
  view: Pick<SetUpView, 'repositories'>;
}

/**
 * Starts a job of the default workflow on the runner of this home, and returns its ID. Throws
 * SvcError `bad-argument` if it is not clear which repository is meant, `unreachable` if no runner
 * answers.
 */
export async function startFirstJob(
  io: Io,
  version: string,
  { description, repo, view: { repositories } }: FirstJobRequest,
): Promise<string> {
  const [only, ...others] = repositories;
  const slug = repo ?? (others.length === 0 ? only : undefined);
  if (slug === undefined)
    throw new SvcError(
      'bad-argument',
      `--first-job needs --repo: ${repositories.length === 0 ? 'no repository on this disk is set up' : `there are ${repositories.join(', ')}`}.`,
    );
  const env = { ...io.env, SVC_URL: undefined, SVC_TOKEN: undefined };
  const connection = await resolveConnection({ env, homeDir: io.homeDir, url: undefined });
  const client = createClient({ ...connection, userAgent: `${OWN_CLIENT}${version}` });
  const params = { repoSlug: slug, description };
  const { jobId } = await client.createJob({ type: 'job', workflowPath: DEFAULT_WORKFLOW, params });
  return jobId;
}
