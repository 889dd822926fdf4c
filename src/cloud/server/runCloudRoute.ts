import type { Context } from 'koa';
import { readRequestParts } from '../../api/server/gates/readRequestParts.ts';
import { tellRows } from '../../api/server/replies/pages.ts';
import { readCloudParams } from '../routes/cloudParams.ts';
import type { CloudRoute } from '../routes/cloudRoute.ts';
import type { RouteGroup } from './cloudCall.ts';
import { readCaller } from './gates/requireCaller.ts';

/** Checks a request by the table, lets its handler answer, and sends what that gives. */
export async function runCloudRoute(
  route: CloudRoute,
  { answer }: RouteGroup,
  ctx: Context,
  raw: Readonly<Record<string, string>>,
): Promise<void> {
  const params = readCloudParams(route.path, raw);
  const parts = readRequestParts(ctx, route);
  ctx.status = route.status;
  const given = await answer(route, { ...readCaller(ctx), params, ...parts, ctx });
  if (route.kind === 'nothing') {
    ctx.status = route.status;
    return;
  }
  if (route.kind === 'text' || route.kind === 'bytes' || route.kind === 'events') return;
  const { status } = ctx;
  const reply =
    route.kind === 'json' ? given : tellRows(ctx, route.query, parts.query, given, route.kind.page);
  ctx.body = JSON.stringify(reply);
  ctx.status = status;
  ctx.type = 'application/json';
}
