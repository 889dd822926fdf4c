import { SvcError } from '../../src/base/errors/errors.ts';

export const DEFAULT_WORKFLOW = 'workflows/job.md';

export interface JobFlags {
  /** Default {@link DEFAULT_WORKFLOW}. */
  workflow?: string | undefined;
  repo?: string | undefined;
  reviewers?: string | undefined;
  description?: string | undefined;
  'service-name'?: string | undefined;
  'git-provider'?: string | undefined;
  'jira-ticket'?: string | undefined;
  interactive?: boolean | undefined;
  approve?: readonly string[] | undefined;
  unattended?: string | undefined;
  param?: readonly string[] | undefined;
}

const NEEDED = ['repo', 'reviewers', 'description'] as const;

/** `k=v` of --param as an entry; a value that is JSON (a number, true, a list) is parsed. */
export function parseParamFlag(text: string): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new SvcError(
      'bad-argument',
      `--param is "${text}", but must be a name, "=" and a value, such as --param language=go.`,
    );
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), JSON.parse(value)];
  } catch {
    return [text.slice(0, at), value];
  }
}

/**
 * Params of POST /jobs. `--repo`, `--reviewers` and `--description` come together, unless
 * `--jira-ticket` says it all, or another workflow says what it needs. Throws SvcError `bad-argument` that names what is missing.
 */
export function buildJobParams(flags: JobFlags): Record<string, unknown> {
  const missing = NEEDED.filter((name) => flags[name] === undefined).map((name) => `--${name}`);
  const { workflow = DEFAULT_WORKFLOW } = flags;
  const isOwn = workflow === DEFAULT_WORKFLOW;
  if (isOwn && missing.length > 0 && flags['jira-ticket'] === undefined) {
    throw new SvcError(
      'bad-argument',
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. Give --repo, --reviewers and --description, or --jira-ticket alone.`,
    );
  }
  return buildGivenParams(flags);
}

/** The same without a look at what is missing: the runner knows what the workflow requires. */
export function buildGivenParams(flags: JobFlags): Record<string, unknown> {
  const reviewers = flags.reviewers
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (reviewers?.length === 0)
    throw new SvcError('bad-argument', '--reviewers is empty. Give at least one name.');
  const namedParams = {
    repoSlug: flags.repo,
    description: flags.description,
    reviewers,
    serviceName: flags['service-name'] ?? flags.repo,
    gitProvider: flags['git-provider'],
    jiraTicketId: flags['jira-ticket'],
    interactive: flags.interactive,
    unattended: flags.unattended === undefined ? undefined : { until: flags.unattended },
    autoApprove: flags.approve?.includes('all') ? true : flags.approve,
  };
  const givenParams = Object.entries(namedParams).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...(flags.param ?? []).map(parseParamFlag), ...givenParams]);
}
