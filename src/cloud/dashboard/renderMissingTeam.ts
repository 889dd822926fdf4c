import type { Context } from 'koa';
import { html } from '../people/pages/html.ts';
import { renderPage } from '../people/pages/renderPage.ts';

/** The same for a team that does not exist and for one that the person is not in. */
export const renderMissingTeam = (ctx: Context): void =>
  renderPage(ctx, {
    title: 'Team not found',
    status: 404,
    body: html`<p>There is no team at this address, or you are not in it. Ask an admin of the team for an invitation.</p>
<p><a href="/auth/home">Your teams</a></p>`,
  });
