import { allowBody, type SomeRoutes } from './route.ts';
import { EmptyBody } from '../schema/api/bodies.ts';
import { EndedLogins, LoginLink } from '../schema/runner/login.ts';

/** Dashboard logins of browsers. GET /login/<code>, the target of the link, is not in the table. */
export const loginRoutes = {
  createLogin: {
    access: 'write',
    team: null,
    summary:
      'Creates a link that logs a browser into the dashboard. It works once, within ten minutes. Needs the token.',
    body: allowBody(EmptyBody),
    status: 201,
    reply: LoginLink,
    refusals: ['forbidden'],
  },
  logout: {
    access: 'write',
    team: null,
    summary: 'Ends the dashboard login of this request.',
    body: allowBody(EmptyBody),
    refusals: ['store-failed'],
  },
  endLogins: {
    access: 'write',
    team: null,
    summary: 'Ends every dashboard login.',
    reply: EndedLogins,
    refusals: ['store-failed'],
  },
} satisfies SomeRoutes;
