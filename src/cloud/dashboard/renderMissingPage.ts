import type { Context } from 'koa';
import { html } from '../people/pages/html.ts';
import { renderPage } from '../people/pages/renderPage.ts';

/** Answers a browser at an address that does not exist. */
export const renderMissingPage = (ctx: Context): void =>
  renderPage(ctx, {
    title: 'Page not found',
    status: 404,
    body: html`<p>There is nothing at this address of the control plane. A link to a job or a page begins with <code>/t/</code> and the name of its team.</p>
<p><a href="/t/">Your team</a></p>`,
  });
