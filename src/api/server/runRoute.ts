import type { Context } from 'koa';
import { BROKEN_ROWS_HEADER } from '../../base/http/ownHeaders.ts';
import type { BrokenRow } from '../../contract/schema/job/brokenRow.ts';
import type { RouteName } from '../../contract/routes/addresses.ts';
import { readParams } from '../../contract/routes/params.ts';
import type { Route } from '../../contract/routes/routes.ts';
import { readCaller, readPerson, readSessionName } from './gates/access.ts';
import { CSV_TYPE, JSON_TYPE } from './gates/gates.ts';
import { waitForCloud } from './gates/waitForCloud.ts';
import { readRequestParts } from './gates/readRequestParts.ts';
import { tellRows } from './replies/pages.ts';
import { PlainText, sendPlainText } from './replies/plainText.ts';
import type { RouteEnv } from './handler.ts';
import { isAct } from './audit/describeAct.ts';
import { runRecorded } from './audit/runRecorded.ts';
import { askRunner } from './askRunner.ts';
import { handlers } from './handlers.ts';

/** Most rows that a reply names; the header has their number. */
const MOST_NAMED_ROWS = 50;

/** An object that was made without rows that cannot be read names them; a list has only the header. */
function addBrokenRows(reply: unknown, brokenRows: readonly BrokenRow[]): unknown {
  const isObject = typeof reply === 'object' && reply !== null && !Array.isArray(reply);
  if (brokenRows.length === 0 || !isObject || 'broken' in reply) return reply;
  return { ...reply, broken: brokenRows.slice(0, MOST_NAMED_ROWS) };
}

/** A member of the team acts under their own name, whatever author the body names. */
const signBody = ({ body: expected }: Route, body: unknown, person: string): unknown =>
  Object.hasOwn(Object(Reflect.get(Object(expected?.schema), 'properties')), 'author')
    ? { ...Object(body), author: person }
    : body;

type Handle = (call: object, env: RouteEnv) => unknown;
// Requests are checked by the same schemas that the types of the handlers are made of.
const handlersByName = handlers as { readonly [Name in RouteName]?: Handle };

/** Checks a request by the table, lets its handler or the runner answer, and sends what that gives. */
export async function runRoute(
  route: Route,
  ctx: Context,
  raw: Readonly<Record<string, string>>,
  env: RouteEnv,
): Promise<void> {
  const { name, kind, status, csv } = route;
  const params = readParams(route.path, raw);
  const { query, body: sentBody, requestKey } = readRequestParts(ctx, route);
  const [by, person, session] = [readCaller(ctx), readPerson(ctx), readSessionName(ctx)];
  const body = person === undefined ? sentBody : signBody(route, sentBody, person);
  const call = { params, query, body, requestKey, by, person, session, ctx };
  const handler = handlersByName[name];
  const answerCall = () => (handler ? handler(call, env) : askRunner(route, call, env));
  const ask = () => (isAct(route) ? runRecorded(route, call, env.trail, answerCall) : answerCall());
  const handle = () => waitForCloud(route, ask, env);
  if (kind === 'text' || kind === 'bytes' || kind === 'events') {
    await handle();
    return;
  }
  // A handler sets another one where it differs from its route's.
  ctx.status = status;
  const { value, listMet: met } = env.brokenRows.collectBroken(handle);
  const answer = await value;
  const brokenRows = met();
  if (brokenRows.length > 0) ctx.set(BROKEN_ROWS_HEADER, String(brokenRows.length));
  if (kind === 'nothing') return;
  if (answer instanceof PlainText) {
    sendPlainText(ctx, answer);
    return;
  }
  if (csv && ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE) {
    ctx.body = csv(answer as never);
    ctx.type = CSV_TYPE;
    return;
  }
  const reply = kind === 'json' ? answer : tellRows(ctx, route.query, query, answer, kind.page);
  ctx.body = JSON.stringify(addBrokenRows(reply, brokenRows));
  ctx.type = 'application/json';
}
