import { type JobInput, MAX_WORKFLOW_BYTES } from '../../machines/index.ts';
import type { Kernel } from '../durable/contract.ts';
import type { Workplace } from '../effects/workplace.ts';
import { type FieldError, SvcError } from '../lib/errors.ts';
import type { CreatedJob, CreateJobBody } from '../schema/bodies.ts';
import { MAX_PARAMS_BYTES } from '../schema/job.ts';
import type { Settings } from '../schema/settings.ts';
import type { Forge } from '../scm/forge.ts';
import type { RequestKey } from './facade.ts';
import { asSvcErrors } from './refusals.ts';
import type { Requests } from './requests.ts';

/** Params that only the runner sets. */
const NOT_FROM_OUTSIDE = ['parentJobId', 'repoCheckoutDir', 'repoCheckoutAbsDir'];

/** The param that holds what a workflow's `createParams` call `repo`. */
const PARAM_OF: Readonly<Record<string, string>> = { repo: 'repoSlug' };

/** How often a taken job id is answered with the next millisecond. */
const ID_TRIES = 1000;

export interface CreateJobDeps {
  settings: Settings;
  workplace: Workplace;
  kernel: Kernel;
  forge: Forge;
  requests: Requests;
  now(): number;
}

/** POST /jobs: everything that can be wrong is said before the job exists; then its start is one commit. */
export const createJobCreator = (deps: CreateJobDeps) => {
  const { settings, workplace, kernel, forge, requests, now } = deps;

  const created = (jobId: string): CreatedJob => ({ jobId, status: 'queued', streamUrl: `/jobs/${jobId}/stream` });

  return async (body: CreateJobBody, request?: RequestKey): Promise<CreatedJob> =>
    requests.once(request, created, async (scope) => {
      const workflow = await checkedWorkflow(workplace, forge, body);
      const createdAt = now();
      const { params, type, workflowPath } = body;
      for (let attempt = 0; attempt < ID_TRIES; attempt++) {
        const id = `${serviceSlug(params)}-job-${createdAt + attempt}`;
        const input: JobInput = {
          id,
          type,
          tenantId: settings.tenant.id,
          workflowPath,
          workflow,
          params,
          interactive: typeof params.interactive === 'boolean' ? params.interactive : settings.coachMode.enabled,
          limits: { gateBlocks: settings.runner.gateBlocks, sessionsPerVisit: SESSIONS_PER_VISIT },
          createdAt: createdAt + attempt,
        };
        const { started } = await asSvcErrors(id, () =>
          kernel.submit({ starts: [{ chart: 'job', id, input }], rows: scope.claim(id), allOrNothing: true }),
        );
        if (started[0]?.created) return created(id);
      }
      throw new SvcError('conflict', `No free job id was found in ${ID_TRIES} milliseconds; send the request again.`);
    });
};

/** Fresh sessions that an agent may ask for in one phase visit. */
const SESSIONS_PER_VISIT = 10;

const checkedWorkflow = async (workplace: Workplace, forge: Forge, { workflowPath, params }: CreateJobBody) => {
  const errors = paramErrors(params, forge);
  if (errors.length > 0) throw new SvcError('invalid', 'The params of the job are not valid.', { errors });
  const { overlay } = await workplace.overlay(typeof params.repoSlug === 'string' ? params.repoSlug : null);
  if (!overlay.has(workflowPath)) {
    const known = overlay.workflows().workflows.map((entry) => entry.workflowPath);
    throw new SvcError('invalid', `There is no workflow ${workflowPath}.`, {
      errors: [{ pointer: '/workflowPath', message: `not in any layer; known: ${known.join(', ')}` }],
    });
  }
  const { table, meta, diagnostics } = overlay.workflow(workflowPath);
  const mistakes = diagnostics.filter(({ severity }) => severity === 'error');
  if (!table || mistakes.length > 0) {
    throw new SvcError('workflow-invalid', `${workflowPath} has ${mistakes.length} mistakes.`, { data: { diagnostics } });
  }
  const bytes = Buffer.byteLength(JSON.stringify(table));
  if (bytes > MAX_WORKFLOW_BYTES) {
    throw new SvcError(
      'workflow-invalid',
      `The phases of ${workflowPath} take ${bytes} bytes of at most ${MAX_WORKFLOW_BYTES}: use fewer or shorten their obligations.`,
    );
  }
  const missing = params.jiraTicketId === undefined ? missingParams(meta.createParams.required, params) : [];
  if (missing.length > 0) throw new SvcError('invalid', `${workflowPath} needs more params.`, { errors: missing });
  return table;
};

const missingParams = (required: readonly string[], params: Record<string, unknown>): FieldError[] =>
  required
    .map((name) => PARAM_OF[name] ?? name)
    .filter((name) => params[name] === undefined || params[name] === '')
    .map((name) => ({ pointer: `/params/${name}`, message: 'is required by the workflow' }));

const paramErrors = (params: Record<string, unknown>, forge: Forge): FieldError[] => {
  const errors: FieldError[] = NOT_FROM_OUTSIDE.filter((name) => name in params).map((name) => ({
    pointer: `/params/${name}`,
    message: 'is set by the runner; leave it out',
  }));
  const bytes = Buffer.byteLength(JSON.stringify(params));
  if (bytes > MAX_PARAMS_BYTES) errors.push({ pointer: '/params', message: `has ${bytes} bytes; at most ${MAX_PARAMS_BYTES}` });
  const { repoSlug } = params;
  if (repoSlug !== undefined && !forge.repos().some(({ slug }) => slug === repoSlug)) {
    const known = forge.repos().map(({ slug }) => slug);
    errors.push({
      pointer: '/params/repoSlug',
      message:
        known.length === 0
          ? 'no repository is configured: add one to forges.local.repos of config.json'
          : `is not a repository of this runner; known: ${known.join(', ')}`,
    });
  }
  return errors;
};

/** The first part of a job id: params.serviceName, else the repository's name, made safe for paths and URLs. */
const serviceSlug = ({ serviceName, repoSlug }: Record<string, unknown>): string => {
  const name =
    typeof serviceName === 'string' ? serviceName : typeof repoSlug === 'string' ? (repoSlug.split('/').at(-1) ?? '') : '';
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48)
    .replace(/-+$/, '');
  return slug === '' ? 'svc' : slug;
};
