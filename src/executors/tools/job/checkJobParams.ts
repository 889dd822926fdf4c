import {
  MAX_PARAMS_BYTES,
  PERSON_OWNED_PARAMS,
  RUNNER_OWNED_PARAMS,
  TICKET_PARAMS,
} from '../../../base/jobs/params.ts';
import { listParamTypeErrors } from '../../../contract/schema/job/jobParams.ts';
import { ToolRefusal } from '../tool.ts';

/**
 * Params of a sub-run that only the runner sets. Repository, provider and depth are up to the
 * planner.
 */
const RUNNER_OWNED_OF_SUB_RUNS = ['parentJobId', 'investigationId'];

const isOwned = (runnerOwned: readonly string[]) => (key: string) =>
  PERSON_OWNED_PARAMS.some((param) => param === key) ||
  runnerOwned.includes(key) ||
  key.startsWith('repoCheckout');

function rejectOwnedParams(
  tool: string,
  params: object,
  runnerOwned: readonly string[],
  all: object,
): void {
  const ownedParams = Object.keys(params).filter(isOwned(runnerOwned));
  if (ownedParams.length > 0) {
    throw new ToolRefusal(
      ownedParams.length === 1
        ? `${tool}: nothing was done. ${ownedParams[0]} belongs to the runner or to people and cannot be set by an agent; leave it out.`
        : `${tool}: nothing was done. ${ownedParams.join(', ')} belong to the runner or to people and cannot be set by an agent; leave them out.`,
    );
  }
  const wrong = listParamTypeErrors(Object(params)).map(
    ({ pointer, message }) => `${pointer.slice(1).replace('/', '.')} ${message}`,
  );
  if (wrong.length > 0) throw new ToolRefusal(`${tool}: nothing was done. ${wrong.join('; ')}.`);
  const bytes = Buffer.byteLength(JSON.stringify(all));
  if (bytes > MAX_PARAMS_BYTES) {
    throw new ToolRefusal(
      `${tool}: nothing was done. All parameters together would be ${bytes} bytes, and ${MAX_PARAMS_BYTES} are allowed. Put long text into an artefact.`,
    );
  }
}

export const checkJobParams = (tool: string, before: object, params: object): void =>
  rejectOwnedParams(tool, params, [...RUNNER_OWNED_PARAMS, ...TICKET_PARAMS], {
    ...before,
    ...params,
  });

export const checkSubRunParams = (tool: string, params: object): void =>
  rejectOwnedParams(tool, params, RUNNER_OWNED_OF_SUB_RUNS, params);
