import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { PAGE_STYLE } from './pageStyle.ts';
import { html, type Html } from './html.ts';

export const STYLE_PATH = '/auth/style.css';
/** A new look has a new address, so browsers may keep it. */
const STYLE_VERSION = createHash('sha256').update(PAGE_STYLE).digest('hex').slice(0, 12);

export interface Page {
  title: string;
  body: Html;
  /** Default 200. */
  status?: number;
  /** Further places that its form may lead to, as sources of the content security policy. */
  formTargets?: readonly string[];
}

/** No script, nothing from elsewhere, no frame around it. */
const buildPolicy = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Answers with a page. */
export function renderPage(
  ctx: Context,
  { title, body, status = 200, formTargets = [] }: Page,
): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Content-Security-Policy', buildPolicy(formTargets));
  ctx.body = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · svc</title>
<link rel="stylesheet" href="${STYLE_PATH}?${STYLE_VERSION}">
<body>
<header>svc</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;
}

export function sendStyle(ctx: Context): void {
  ctx.type = 'text/css; charset=utf-8';
  if (ctx.querystring === STYLE_VERSION)
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.body = PAGE_STYLE;
}
