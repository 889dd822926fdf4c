import { PAGE_KEY_HEADER } from '../../../base/http/ownHeaders.ts';
import type { ErrorCode } from '../../../base/errors/errors.ts';
import { buildParamSchema, type ParamName } from '../../../contract/routes/params.ts';
import type { Route } from '../../../contract/routes/routes.ts';
import { describeApi } from './describeApi.ts';

const REFUSALS_OF_EVERY_ROUTE: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'foreign-host',
  'foreign-origin',
  'internal',
];

/**
 * Token, or dashboard login; a login that changes something needs both of its values. The empty
 * member: on loopback nothing is needed.
 */
function describeSecurity({ access, method }: Route): Record<string, []>[] {
  if (access === 'own') return [];
  const login: Record<string, []> = method === 'GET' ? { login: [] } : { login: [], pageKey: [] };
  return [{ token: [] }, login, ...(access === 'write' ? [] : [{}])];
}

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: "Content of runner.token in svc's home.",
  },
  login: {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_login_3000',
    description:
      "Cookie of a dashboard login; its name ends with the runner's port. `svc open` creates one.",
  },
  pageKey: {
    type: 'apiKey',
    in: 'header',
    name: PAGE_KEY_HEADER,
    description: 'Second secret of a dashboard login, kept by the dashboard in its own storage.',
  },
};

/** The OpenAPI document of the runner's routes. */
export const buildOpenapiDocument = (
  routes: readonly Route[],
  version: string,
): Record<string, unknown> =>
  describeApi(routes, {
    title: 'svc runner',
    version,
    refusalsOfEveryRoute: REFUSALS_OF_EVERY_ROUTE,
    describeSecurity,
    // A path's names are those of the table of parameters, or it would not compile.
    describeParam: (name) => buildParamSchema(name as ParamName),
    securitySchemes: SECURITY_SCHEMES,
  });
