import type { Context } from 'koa';
import { serveDashboard } from '../../api/server/dashboard.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { BrowserSessions } from '../people/sessions/browserSessions.ts';
import { listTeams } from '../people/teams/teams.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { Mount } from '../server/createCloudApp.ts';
import { findMembership } from '../server/gates/findMembership.ts';
import { renderMissingTeam } from './renderMissingTeam.ts';
import { createTeamPage } from './teamPage.ts';

const FILES = '/dashboard';
const TEAMS = '/t';
/** Where people expect the login; a runner has its links there. */
const GUESSED_LOGIN = '/login';
/** Where people without a team, and those of a build without the dashboard, find what there is for them. */
const WITHOUT_DASHBOARD = '/auth/home';

export interface DashboardParts {
  context: CloudContext;
  sessions: Pick<BrowserSessions, 'find'>;
  /** The built dashboard; null = it was not built. */
  folder: string | null;
}

function refuseChange(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  ctx.set('Allow', 'GET, HEAD');
  throw new SvcError('method-not-allowed', 'The dashboard is read-only.');
}

/**
 * The dashboard of the runner for teams: its files as they are, and its page below `/t/<slug>/`, which names the
 * team. Who is not logged in gets the login page, which leads back.
 */
export function openDashboard({ context, sessions, folder }: DashboardParts): Mount[] {
  const files = serveDashboard(folder);
  const teamPage = folder === null ? null : createTeamPage(folder);

  async function answerPage(ctx: Context): Promise<void> {
    refuseChange(ctx);
    const [, , teamName = '', ...rest] = ctx.path.split('/');
    const session = await sessions.find(ctx);
    if (session === null)
      return ctx.redirect(`/auth/login?next=${encodeURIComponent(`${ctx.path}${ctx.search}`)}`);
    if (teamPage === null) return ctx.redirect(WITHOUT_DASHBOARD);
    const { userId } = session.person;
    if (teamName === '') {
      const [first] = await listTeams(context, userId);
      return ctx.redirect(first === undefined ? WITHOUT_DASHBOARD : `${TEAMS}/${first.slug}/`);
    }
    const team = await findMembership(context.database, userId, teamName);
    if (team === null) return renderMissingTeam(ctx);
    if (team.slug !== teamName || rest.length === 0) return ctx.redirect(`${TEAMS}/${team.slug}/`);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = await teamPage({ slug: team.slug, csrf: session.csrf });
  }

  return [
    {
      prefix: '/',
      handle: async (ctx, next) => (ctx.path === '/' ? ctx.redirect(`${TEAMS}/`) : next()),
    },
    {
      prefix: FILES,
      handle: async (ctx, next) =>
        // The page itself is that of a runner; here each team has its own.
        ctx.path === FILES || ctx.path === `${FILES}/` || ctx.path === `${FILES}/index.html`
          ? ctx.redirect(`${TEAMS}/`)
          : files(ctx, next),
    },
    { prefix: TEAMS, handle: answerPage },
    {
      prefix: GUESSED_LOGIN,
      handle: async (ctx, next) =>
        ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html'
          ? ctx.redirect(`${TEAMS}/`)
          : next(),
    },
  ];
}
