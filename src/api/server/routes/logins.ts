import { SvcError } from '../../../shared/errors/errors.ts';
import { EmptyBody } from '../../../contract/schema/api/bodies.ts';
import { EndedLogins, LoginLink } from '../../../contract/schema/runner/login.ts';
import { readCaller } from '../gates/access.ts';
import { clearLoginCookie, readLoginCookies } from '../login/loginCookie.ts';
import { defineJsonRoute } from '../route.ts';

/**
 * Dashboard logins of browsers. GET /login/<code>, the target of the link, is not in this table.
 */
export const loginRoutes = [
  defineJsonRoute({
    name: 'createLogin',
    access: 'write',
    method: 'POST',
    path: '/logins',
    summary:
      'Creates a link that logs a browser into the dashboard. It works once, within ten minutes. Needs the token.',
    body: EmptyBody,
    bodyRequired: false,
    status: 201,
    reply: LoginLink,
    refusals: ['forbidden'],
    handle({ ctx }, { codes }) {
      if (readCaller(ctx) === 'login')
        throw new SvcError(
          'forbidden',
          'A dashboard login cannot create other logins. Run `svc open`, which sends the token.',
        );
      const { code, until } = codes.issue();
      return { path: `/login/${code}`, expiresAt: new Date(until).toISOString() };
    },
  }),
  defineJsonRoute({
    name: 'logout',
    access: 'write',
    method: 'POST',
    path: '/logout',
    summary: 'Ends the dashboard login of this request.',
    body: EmptyBody,
    bodyRequired: false,
    reply: null,
    refusals: ['store-failed'],
    async handle({ ctx }, { logins }) {
      const login = logins.find(readLoginCookies(ctx));
      if (login !== null) await logins.end(login);
      clearLoginCookie(ctx);
      return undefined;
    },
  }),
  defineJsonRoute({
    name: 'endLogins',
    access: 'write',
    method: 'DELETE',
    path: '/logins',
    summary: 'Ends every dashboard login.',
    reply: EndedLogins,
    refusals: ['store-failed'],
    handle: async (_call, { logins }) => ({ ended: await logins.endAll() }),
  }),
];
