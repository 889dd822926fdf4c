import type { CreateJobBody } from '../../../src/contract/schema/api/bodies.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';

export interface JobFormField {
  name: string;
  param: string;
  label: string;
  kind: 'repo' | 'forge' | 'long' | 'list' | 'text';
  required: boolean;
}

/** What is known of params that every workflow may ask for; others are texts. */
const KNOWN: Readonly<Record<string, Pick<JobFormField, 'param' | 'label' | 'kind'>>> = {
  repo: { param: 'repoSlug', label: 'Repository', kind: 'repo' },
  repoSlug: { param: 'repoSlug', label: 'Repository', kind: 'repo' },
  description: { param: 'description', label: 'Description', kind: 'long' },
  reviewers: { param: 'reviewers', label: 'Reviewers', kind: 'list' },
  jiraTicketId: { param: 'jiraTicketId', label: 'Ticket', kind: 'text' },
  gitProvider: { param: 'gitProvider', label: 'Forge', kind: 'forge' },
};

/**
 * Params that a job got by itself, so that a new one gets its own; the form has switches for the
 * last two.
 */
const OWN = new Set([
  'repoCheckoutDir',
  'repoCheckoutAbsDir',
  'parentJobId',
  'investigationId',
  'findingsSha',
  'epicAllowed',
  'interactive',
  'autoApprove',
]);

/** `serviceName` → `Service name`. */
const toParamLabel = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()}`;
};

/** The fields of a workflow, required ones first; each param once. */
export function listWorkflowFields({
  createParams,
}: Pick<WorkflowEntry, 'createParams'>): JobFormField[] {
  const { required, optional } = createParams;
  const fields = [...required, ...optional].map(
    (name): JobFormField => ({
      ...(KNOWN[name] ?? { param: name, label: toParamLabel(name), kind: 'text' }),
      name,
      required: required.includes(name),
    }),
  );
  return fields.filter(
    ({ param }, index) => fields.findIndex((other) => other.param === param) === index,
  );
}

/** What a ticket can supply in place of the person. */
const OF_TICKET = new Set(['repoSlug', 'description']);

/** Whether a field is required; with a ticket, repository and description are not. */
export const isDemanded = (
  { param, required }: JobFormField,
  { jiraTicketId = '' }: Readonly<Record<string, string>>,
): boolean => required && !(OF_TICKET.has(param) && jiraTicketId.trim() !== '');

/** A typed value. Text that is JSON other than a string becomes that value, such as a number. */
function parseParamText(kind: JobFormField['kind'], text: string): unknown {
  if (kind === 'list')
    return text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  if (kind !== 'text') return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? text : value;
  } catch {
    return text;
  }
}

/** The request of a form. `keptParams`: an earlier job's params that have no field. */
export function buildNewJobBody(
  workflowPath: string,
  fields: readonly JobFormField[],
  texts: Readonly<Record<string, string>>,
  keptParams: Readonly<Record<string, unknown>>,
): CreateJobBody {
  const givenParams = fields.flatMap(({ param, kind }): [string, unknown][] => {
    const text = (texts[param] ?? '').trim();
    return text === '' ? [] : [[param, parseParamText(kind, text)]];
  });
  return {
    type: 'job',
    workflowPath,
    params: { ...keptParams, ...Object.fromEntries(givenParams) },
  };
}

export function refillForm(
  job: Pick<Job, 'params'>,
  fields: readonly JobFormField[],
): { texts: Record<string, string>; kept: Record<string, unknown> } {
  const texts: Record<string, string> = {};
  const otherParams: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(job.params)) {
    if (OWN.has(name)) continue;
    if (!fields.some(({ param }) => param === name)) otherParams[name] = value;
    else if (Array.isArray(value)) texts[name] = value.join(', ');
    else texts[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return { texts, kept: otherParams };
}

export const listCheckpoints = (workflow: Pick<WorkflowEntry, 'phases'> | undefined): string[] =>
  workflow?.phases.filter(({ checkpoint }) => checkpoint).map(({ name }) => name) ?? [];

/** Which of the checkpoints an earlier job had approved in advance, by its params. */
export function listAdvanceApprovals(
  { autoApprove }: Job['params'],
  checkpoints: readonly string[],
): string[] {
  const approvedNames: readonly unknown[] = Array.isArray(autoApprove)
    ? autoApprove
    : [autoApprove];
  const every = approvedNames.includes(true) || approvedNames.includes('all');
  return checkpoints.filter((phase) => every || approvedNames.includes(phase));
}

/** A list of names as it is typed, with one more at its end. */
export const appendName = (text: string, name: string): string => {
  const names = text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return [...names, name].join(', ');
};
