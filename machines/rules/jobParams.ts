import { jsonBytes, MAX_PARAMS_BYTES } from './limits.ts';

/** Keys that decide what the job is and where it works: set_job_params refuses them. */
export const RUNNER_OWNED_PARAMS = [
  'parentJobId',
  'investigationId',
  'gitProvider',
  'repoCheckoutDir',
  'repoCheckoutAbsDir',
  'epicAllowed',
  'repoSlug',
  'trigger',
] as const;

/** Keys by which a person decides how far the agent may go alone: an agent that could set them would approve its own plan, or write anywhere. */
export const PERSON_OWNED_PARAMS = ['interactive', 'autoApprove', 'writesTo'] as const;

/** Keys that name the job's ticket, which its agents may write to: set when the job is created and not changed by an agent. */
export const TICKET_PARAMS = ['jiraTicketId', 'trackerRef', 'trackerProvider'] as const;

const refused = new Set<string>([...RUNNER_OWNED_PARAMS, ...PERSON_OWNED_PARAMS, ...TICKET_PARAMS]);

/** What is wrong with a change of params by an agent, in sentences; empty = nothing. */
export function paramsProblems(params: Record<string, unknown>, change: Record<string, unknown>): string[] {
  const keys = Object.keys(change).filter((key) => refused.has(key) || key.startsWith('repoCheckout'));
  const problems = keys.length > 0 ? [`these keys are not an agent's to set: ${keys.join(', ')}`] : [];
  const bytes = jsonBytes({ ...params, ...change });
  if (bytes > MAX_PARAMS_BYTES)
    problems.push(`params would take ${bytes} bytes of at most ${MAX_PARAMS_BYTES}: put what is large into an artefact`);
  return problems;
}
