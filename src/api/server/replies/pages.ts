import type { Context } from 'koa';

/**
 * Part of a list: how many rows it may hold, how many come before it, and how many there are in
 * all.
 */
export interface Page {
  limit: number;
  offset: number;
  total: number;
}

/** Neighbours of a page, with the filters that were asked for. */
function formatPageLinks(ctx: Context, { limit, offset, total }: Page): string {
  const link = (at: number, rel: string) => {
    const query = new URLSearchParams(ctx.querystring);
    query.set('limit', String(limit));
    query.set('offset', String(at));
    return `<${ctx.path}?${query}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (offset + limit < total) links.push(link(offset + limit, 'next'));
  if (offset > 0) links.push(link(Math.max(0, offset - limit), 'prev'));
  return links.join(', ');
}

/** Sets X-Total-Count and, where the page has neighbours, Link. */
export function tellPage(ctx: Context, page: Page): void {
  ctx.set('X-Total-Count', String(page.total));
  const links = formatPageLinks(ctx, page);
  if (links !== '') ctx.set('Link', links);
}
