import { countJsonBytes } from './limits.ts';
import {
  MAX_PARAMS_BYTES,
  PERSON_OWNED_PARAMS,
  RUNNER_OWNED_PARAMS,
  TICKET_PARAMS,
} from '../../../src/shared/jobs/params.ts';

const FORBIDDEN_PARAMS = new Set<string>([
  ...RUNNER_OWNED_PARAMS,
  ...PERSON_OWNED_PARAMS,
  ...TICKET_PARAMS,
]);

/** What is wrong with a change of params by an agent, in sentences; empty = nothing. */
export function findParamsProblems(
  params: Record<string, unknown>,
  change: Record<string, unknown>,
): string[] {
  const keys = Object.keys(change).filter(
    (key) => FORBIDDEN_PARAMS.has(key) || key.startsWith('repoCheckout'),
  );
  const problems = keys.length > 0 ? [`an agent cannot set these keys: ${keys.join(', ')}`] : [];
  const bytes = countJsonBytes({ ...params, ...change });
  if (bytes > MAX_PARAMS_BYTES)
    problems.push(
      `params would take ${bytes} bytes of at most ${MAX_PARAMS_BYTES}: put what is large into an artefact`,
    );
  return problems;
}
