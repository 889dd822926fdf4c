import type { Context } from 'koa';
import { readRequestParts } from '../../api/server/gates/readRequestParts.ts';
import { tellRows } from '../../api/server/replies/pages.ts';
import { PlainText, sendPlainText } from '../../api/server/replies/plainText.ts';
import { readCloudParams } from '../routes/cloudParams.ts';
import type { CloudRoute } from '../routes/cloudRoute.ts';
import { runAudited } from './audit/auditTrail.ts';
import type { RouteGroup } from './cloudCall.ts';
import type { StoreContext } from './cloudContext.ts';
import { readCaller } from './gates/requireCaller.ts';

/** Checks a request by the table, lets its handler answer, and sends what that gives. */
export async function runCloudRoute(
  route: CloudRoute,
  { answer }: RouteGroup,
  ctx: Context,
  raw: Readonly<Record<string, string>>,
  context: StoreContext,
): Promise<void> {
  const params = readCloudParams(route.path, raw);
  const parts = readRequestParts(ctx, route);
  ctx.status = route.status;
  const call = { ...readCaller(ctx), params, ...parts, ctx };
  const result = await runAudited(context, { route, ...call }, async () => answer(route, call));
  if (route.kind === 'nothing') {
    ctx.status = route.status;
    return;
  }
  if (route.kind === 'text' || route.kind === 'bytes' || route.kind === 'events') return;
  if (result instanceof PlainText) {
    sendPlainText(ctx, result);
    return;
  }
  const { status } = ctx;
  const reply =
    route.kind === 'json'
      ? result
      : tellRows(ctx, route.query, parts.query, result, route.kind.page);
  ctx.body = JSON.stringify(reply);
  ctx.status = status;
  ctx.type = 'application/json';
}
