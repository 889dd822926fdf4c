/** Keys that decide what the job is and where it works; an agent may not set them. */
export const RUNNER_OWNED_PARAMS = [
  'parentJobId',
  'investigationId',
  'findingsSha',
  'gitProvider',
  'repoCheckoutDir',
  'repoCheckoutAbsDir',
  'epicAllowed',
  'repoSlug',
  'trigger',
] as const;

/**
 * Keys by which a person decides how far the agent may go alone. An agent that could set them
 * would approve its own plan, write anywhere, spend what it likes, or
 * work longer than it may.
 */
export const PERSON_OWNED_PARAMS = [
  'interactive',
  'autoApprove',
  'writesTo',
  'budget',
  'unattended',
] as const;

/** Keys of the job's ticket: set when the job is created, and not changed by an agent. */
export const TICKET_PARAMS = ['jiraTicketId', 'trackerRef', 'trackerProvider'] as const;

/** Most bytes of params as JSON: they are part of the job's context, which is bounded. */
export const MAX_PARAMS_BYTES = 16_384;
