import { MAX_WORKFLOW_BYTES } from '../../machines/index.ts';
import type { FieldError } from '../lib/errors.ts';
import { SvcError } from '../lib/errors.ts';
import type { OpenOverlay } from '../overlay/openOverlay.ts';
import { MAX_PARAMS_BYTES } from '../schema/job.ts';
import type { WorkflowTable } from '../schema/workflow.ts';
import type { Forge } from '../scm/forge.ts';

/** Params that only the runner sets. */
const NOT_FROM_OUTSIDE = ['parentJobId', 'repoCheckoutDir', 'repoCheckoutAbsDir'];

/** The param that holds what a workflow's `createParams` call `repo`. */
const PARAM_OF: Readonly<Record<string, string>> = { repo: 'repoSlug' };

/** The workflow of a job to be, fit to be run. Throws SvcError `invalid` or `workflow-invalid`, with diagnostics. */
export const checkedTable = (overlay: OpenOverlay, workflowPath: string): WorkflowTable => {
  if (!overlay.has(workflowPath)) {
    const known = overlay.workflows().workflows.map((entry) => entry.workflowPath);
    throw new SvcError('invalid', `There is no workflow ${workflowPath}.`, {
      errors: [{ pointer: '/workflowPath', message: `not in any layer; known: ${known.join(', ')}` }],
    });
  }
  const { table, diagnostics } = overlay.workflow(workflowPath);
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
  return table;
};

/** Params that the workflow demands and that are not there. A ticket stands for all of them. */
export const missingParams = (overlay: OpenOverlay, workflowPath: string, params: Record<string, unknown>): FieldError[] =>
  params.jiraTicketId !== undefined
    ? []
    : overlay
        .workflow(workflowPath)
        .meta.createParams.required.map((name) => PARAM_OF[name] ?? name)
        .filter((name) => params[name] === undefined || params[name] === '')
        .map((name) => ({ pointer: `/params/${name}`, message: 'is required by the workflow' }));

/** What is wrong with params whatever the workflow is. */
export const paramErrors = (params: Record<string, unknown>, forge: Forge): FieldError[] => {
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
