import { SvcError, type FieldError } from '../../base/errors/errors.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import type { Caps } from '../../base/spending/budgetScopes.ts';
import { findLoosenedCaps } from '../../base/spending/findLoosenedCaps.ts';
import { MAX_PARAMS_BYTES } from '../../base/jobs/params.ts';
import { EVERY_PHASE, listParamTypeErrors } from '../../contract/schema/job/jobParams.ts';
import { findOwnCapProblems } from '../../contract/schema/policy/budget.ts';
import { findWritesToProblems } from '../../contract/schema/forge/parseWritesTo.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import type { Forges } from '../../providers/forges.ts';

const NOT_FROM_OUTSIDE = ['parentJobId', 'trigger', 'repoCheckoutDir', 'repoCheckoutAbsDir'];

/** Params with another name than in `createParams` of a workflow. */
const PARAM_OF: Readonly<Record<string, string>> = { repo: 'repoSlug' };

/** The workflow of a new job. Throws SvcError `invalid` or `workflow-invalid`, with diagnostics. */
export const requireRunnableTable = (overlay: OpenOverlay, workflowPath: string): WorkflowTable => {
  if (!overlay.has(workflowPath)) {
    const workflowPaths = overlay.workflows().workflows.map((entry) => entry.workflowPath);
    throw new SvcError('invalid', `The workflow ${workflowPath} does not exist.`, {
      errors: [
        {
          pointer: '/workflowPath',
          message: `names ${workflowPath}, which is not in any layer; known: ${workflowPaths.join(', ')}`,
        },
      ],
    });
  }
  const { table, diagnostics } = overlay.workflow(workflowPath);
  const mistakes = diagnostics.filter(({ severity }) => severity === 'error');
  if (!table || mistakes.length > 0) {
    throw new SvcError(
      'workflow-invalid',
      `${workflowPath} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}.`,
      {
        data: { diagnostics },
      },
    );
  }
  return table;
};

/**
 * Params that the workflow requires and that are missing. `noRepo`: why the job's ticket names no
 * repository; null, the default = no ticket was asked.
 */
export const findMissingParams = (
  overlay: OpenOverlay,
  workflowPath: string,
  params: Record<string, unknown>,
  noRepo: string | null = null,
): FieldError[] =>
  overlay
    .workflow(workflowPath)
    .meta.createParams.required.map((name) => PARAM_OF[name] ?? name)
    .filter((name) => params[name] === undefined || params[name] === '')
    .map((name) => {
      const why = name === 'repoSlug' && noRepo !== null ? `; the ticket ${noRepo}` : '';
      return { pointer: `/params/${name}`, message: `is required by the workflow${why}` };
    });

/** Mistakes in params that do not depend on workflow or configuration. */
export const findParamErrors = (params: Record<string, unknown>): FieldError[] => {
  const errors: FieldError[] = NOT_FROM_OUTSIDE.filter((name) => name in params).map((name) => ({
    pointer: `/params/${name}`,
    message: 'is set by the runner; omit it',
  }));
  const bytes = Buffer.byteLength(JSON.stringify(params));
  if (bytes > MAX_PARAMS_BYTES)
    errors.push({ pointer: '/params', message: `has ${bytes} bytes; at most ${MAX_PARAMS_BYTES}` });
  return [...errors, ...findWritesToErrors(params), ...findParamBudgetErrors(params)];
};

/** Params of a wrong type. Only new requests are checked; stored jobs keep their params. */
export const findParamTypeErrors = (params: Record<string, unknown>): FieldError[] =>
  listParamTypeErrors(params).map(({ pointer, message }) => ({
    pointer: `/params${pointer}`,
    message,
  }));

/** Names in params.autoApprove that are not phases of the workflow. */
export function findAutoApproveErrors(
  { autoApprove }: Record<string, unknown>,
  { phases }: WorkflowTable,
): FieldError[] {
  const phaseNames = phases.map(({ name }) => name);
  const of = (name: unknown, pointer: string): FieldError[] =>
    typeof name !== 'string' || name === EVERY_PHASE || phaseNames.includes(name)
      ? []
      : [
          {
            pointer,
            message: `names ${name}, which is not a phase of the workflow. ${suggestClosestName(name, phaseNames)}`,
          },
        ];
  return Array.isArray(autoApprove)
    ? autoApprove.flatMap((name, index) => of(name, `/params/autoApprove/${index}`))
    : of(autoApprove, '/params/autoApprove');
}

const findWritesToErrors = ({ writesTo }: Record<string, unknown>): FieldError[] =>
  writesTo === undefined
    ? []
    : findWritesToProblems(writesTo).map(({ index, message }) => ({
        pointer: `/params/writesTo${index === null ? '' : `/${index}`}`,
        message,
      }));

const findParamBudgetErrors = ({ budget }: Record<string, unknown>): FieldError[] =>
  typeof budget === 'object' && budget !== null
    ? findOwnCapProblems(budget).map(({ path, message }) => ({
        pointer: ['/params/budget', ...path].join('/'),
        message,
      }))
    : [];

/** Caps in params that would be looser than those of a layer above. */
export const findLoosenedCapErrors = (
  budget: Caps,
  upper: readonly (Caps | undefined)[],
): FieldError[] => {
  const loosenedCaps = upper.flatMap((caps) => findLoosenedCaps(caps ?? {}, budget));
  const tightest = new Map<string, FieldError>();
  for (const { scope, metric, given, cap } of loosenedCaps.sort(
    (one, other) => other.cap - one.cap,
  ))
    tightest.set(`${scope}/${metric}`, {
      pointer: `/params/budget/${scope}/${metric}`,
      message: `is ${given}, but is capped at ${cap} already; params can only tighten a cap`,
    });
  return [...tightest.values()];
};

/**
 * Why no configured forge can have the repository of the params, as far as known without asking;
 * empty = one may have it.
 */
export const findRepoErrors = (
  { repoSlug, gitProvider }: Record<string, unknown>,
  forges: Forges,
): FieldError[] => {
  const chosenForge =
    gitProvider === undefined ? null : (forges.get(String(gitProvider)) ?? undefined);
  if (chosenForge === undefined) {
    const message = `is not a forge of this runner; configured: ${forges.ids().join(', ')}`;
    return [{ pointer: '/params/gitProvider', message }];
  }
  if (repoSlug === undefined) return [];
  const candidates = chosenForge ? [chosenForge] : forges.all();
  if (typeof repoSlug === 'string' && candidates.some((forge) => forge.serves(repoSlug))) return [];
  const slugs = candidates.flatMap((forge) => forge.slugs());
  const remote = candidates.filter(({ capabilities }) => capabilities.remote).map(({ id }) => id);
  const hint =
    remote.length === 0 ? '' : `; one of ${remote.join(' or ')} is written <owner>/<name>`;
  const message =
    slugs.length + remote.length === 0
      ? `names ${String(repoSlug)}, but no repository is configured (forges.local.repos of config.json)`
      : `is not a repository of this runner; known: ${slugs.join(', ') || 'none'}${hint}`;
  return [{ pointer: '/params/repoSlug', message }];
};
