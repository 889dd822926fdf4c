import { EmptyBody } from '../../contract/schema/api/bodies.ts';
import type { RunnerRoute } from '../../contract/runner/runner.ts';
import type { Asker } from '../../contract/runner/runnerMethods.ts';
import type { Route } from '../../contract/routes/routes.ts';
import type { RouteEnv } from './handler.ts';

interface CheckedCall extends Asker {
  params: object;
  body: unknown;
  query: unknown;
}

/** Calls the runner's method that has the name of the route, with the arguments that its type says. */
export function askRunner(
  { name, access, body, query }: Route,
  call: CheckedCall,
  { runner }: RouteEnv,
): unknown {
  const { by, person, requestKey } = call;
  const payload = body ? (body.schema === EmptyBody ? [] : [call.body]) : query ? [call.query] : [];
  const asker = access === 'write' ? [{ by, person, requestKey }] : [];
  // The request was checked by the same schemas that the method's type is made of.
  const ask = runner[name as RunnerRoute] as (...args: unknown[]) => unknown;
  return ask.call(runner, ...Object.values(call.params), ...payload, ...asker);
}
