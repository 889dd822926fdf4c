import type { loginRoutes } from '../../../contract/routes/loginRoutes.ts';
import type { Handlers } from '../handler.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { clearLoginCookie, readLoginCookies } from '../login/loginCookie.ts';

export const loginHandlers = {
  createLogin({ by }, { codes }) {
    if (by === 'login')
      throw new SvcError(
        'forbidden',
        'A dashboard login cannot create other logins. Run `svc open`, which sends the token.',
      );
    const { code, until } = codes.issue();
    return { path: `/login/${code}`, expiresAt: new Date(until).toISOString() };
  },
  async logout({ ctx }, { logins }) {
    const login = logins.find(readLoginCookies(ctx));
    if (login !== null) await logins.end(login);
    clearLoginCookie(ctx);
  },
  endLogins: async (_call, { logins }) => ({ ended: await logins.endAll() }),
} satisfies Handlers<typeof loginRoutes>;
