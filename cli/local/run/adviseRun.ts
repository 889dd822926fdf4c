import { ClientError } from '../../../src/api/client/problem.ts';
import { SvcError } from '../../../src/shared/errors/errors.ts';

const AGENT =
  'Name an agent program with --agent and its model with --model, and give its key in the environment (ANTHROPIC_API_KEY); or give a configuration with --config.';
const REPOSITORY =
  'Give the folder of a repository, such as --repo ., or a slug and the token of its code host in the environment (GITHUB_TOKEN, GITLAB_TOKEN or BITBUCKET_TOKEN).';

/**
 * What the runner says of a job that cannot run, with what helps a run: the commands that it names
 * would change a home that is removed. Any other error stays as it is.
 */
export function adviseRun(error: unknown): unknown {
  if (!(error instanceof ClientError) || error.code !== 'cannot-run') return error;
  const { detail, phases, errors = [] } = error.problem;
  if (!('command' in error.problem)) return error;
  const lines = detail.split('\n');
  const end = lines.findIndex((line) => line.startsWith('Run this'));
  const said = end < 0 ? lines : lines.slice(0, end);
  if (Array.isArray(phases) && phases.length > 0) said.push(AGENT);
  if (errors.length > 0) said.push(REPOSITORY);
  return new SvcError('cannot-run', said.join('\n'), { errors });
}
