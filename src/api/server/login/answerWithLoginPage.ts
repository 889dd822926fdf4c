import type { Middleware } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { isOfDashboard } from '../dashboard.ts';

const escapeHtmlText = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const renderLoginPage = (detail: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log in · svc</title>
<h1>This browser is not logged in</h1>
<p>${escapeHtmlText(detail)}</p>
<p>Run <code>svc open</code> in a terminal of the machine that svc runs on. It opens the dashboard and logs this browser in.</p>
</html>
`;

/**
 * A person who opens the dashboard, or a link that is used up, gets a page that says what to do in
 * the place of a problem document.
 */
export const answerWithLoginPage: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const isPage = isOfDashboard(ctx.path) || ctx.path.startsWith('/login/');
    if (
      !(error instanceof SvcError && error.code === 'unauthorized') ||
      !isPage ||
      !ctx.get('Accept').includes('text/html')
    )
      throw error;
    ctx.status = error.status;
    ctx.set('WWW-Authenticate', 'Bearer realm="svc"');
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = renderLoginPage(
      ctx.path.startsWith('/login/') ? error.message : 'Log in to use this dashboard.',
    );
  }
};
