import type { Context } from 'koa';
import type Type from 'typebox';

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
function tellPage(ctx: Context, page: Page): void {
  ctx.set('X-Total-Count', String(page.total));
  const links = formatPageLinks(ctx, page);
  if (links !== '') ctx.set('Link', links);
}

/** The rows of a page; where it is in its list goes into headers. */
export function tellRows(
  ctx: Context,
  schema: Type.TObject | undefined,
  query: unknown,
  answer: unknown,
  page: string,
): unknown {
  const { limit = Reflect.get(Object(schema?.properties.limit), 'default'), offset = 0 } =
    Object(query);
  const { total, [page]: rows } = Object(answer);
  tellPage(ctx, { limit, offset, total });
  return rows;
}
