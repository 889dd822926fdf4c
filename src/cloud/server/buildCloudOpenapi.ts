import { describeApi } from '../../api/server/openapi/describeApi.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { CSRF_HEADER, SESSION_COOKIE } from '../routes/browserLogin.ts';
import { buildCloudParamSchema } from '../routes/cloudParams.ts';
import type { CloudRoute } from '../routes/cloudRoute.ts';

const REFUSALS_OF_EVERY_ROUTE: readonly ErrorCode[] = [
  'foreign-host',
  'foreign-origin',
  'internal',
  'stopping',
];

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of the authorization server under /auth, for ten minutes.',
  },
  runner: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token of a paired runner (cloud.token).',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'Login of a browser. With https the name has the prefix `__Host-`.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: CSRF_HEADER,
    description: "Second value of a browser's login, which a change needs.",
  },
};

function describeSecurity({ who, method }: CloudRoute): Record<string, []>[] {
  if (who === 'anyone') return [];
  if (who === 'runner') return [{ runner: [] }];
  const session: Record<string, []> =
    method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  return [{ token: [] }, session];
}

/** Codes of the gate in front of a route that has one. */
const listGateRefusals = ({ who }: CloudRoute): ErrorCode[] => {
  if (who === 'anyone') return [];
  return who === 'person' || who === 'runner' ? ['unauthorized'] : ['unauthorized', 'forbidden'];
};

/** The OpenAPI 3.1 document of the control plane. */
export const buildCloudOpenapi = (
  routes: readonly CloudRoute[],
  version: string,
): Record<string, unknown> =>
  describeApi(
    routes.map((route) => ({
      ...route,
      refusals: [...route.refusals, ...listGateRefusals(route)],
    })),
    {
      title: 'svc control plane',
      version,
      refusalsOfEveryRoute: REFUSALS_OF_EVERY_ROUTE,
      describeSecurity,
      describeParam: buildCloudParamSchema,
      describeMore: ({ who, isOfRunner }) => ({
        'x-svc-who': who,
        ...(isOfRunner ? { 'x-svc-of-runner': true } : {}),
      }),
      securitySchemes: SECURITY_SCHEMES,
    },
  );
