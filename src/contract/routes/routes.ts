import type Type from 'typebox';
import {
  ADDRESSES,
  type Address,
  type Method,
  type ReplyKind,
  type RouteName,
} from './addresses.ts';
import { auditRoutes } from './auditRoutes.ts';
import { commandRoutes } from './commandRoutes.ts';
import { completeReply } from './completeReply.ts';
import { intakeRoutes } from './intakeRoutes.ts';
import { intelligenceRoutes } from './intelligenceRoutes.ts';
import { jobRoutes } from './jobRoutes.ts';
import { loginRoutes } from './loginRoutes.ts';
import { notificationRoutes } from './notificationRoutes.ts';
import { oversightRoutes } from './oversightRoutes.ts';
import { pluginRoutes } from './pluginRoutes.ts';
import { pullRequestRoutes } from './pullRequestRoutes.ts';
import type { BytesData, JsonData, RequestData, RouteData } from './route.ts';
import { scheduleRoutes } from './scheduleRoutes.ts';
import { serviceRoutes } from './serviceRoutes.ts';
import { settingRoutes } from './settingRoutes.ts';
import { spendingRoutes } from './spendingRoutes.ts';

/**
 * The whole API as data: router, OpenAPI document, the types of the handlers and the methods of the client are all made
 * of it. A name without an address, or an address without an entry here, does not compile.
 */
const ROUTES = {
  ...serviceRoutes,
  ...jobRoutes,
  ...spendingRoutes,
  ...oversightRoutes,
  ...commandRoutes,
  ...pullRequestRoutes,
  ...scheduleRoutes,
  ...pluginRoutes,
  ...settingRoutes,
  ...intelligenceRoutes,
  ...intakeRoutes,
  ...notificationRoutes,
  ...auditRoutes,
  ...loginRoutes,
} satisfies { readonly [Name in RouteName]: RouteData<Name> };
export type Routes = typeof ROUTES;

export interface Route extends RequestData {
  name: RouteName;
  method: Method;
  path: string;
  kind: ReplyKind;
  status: number;
  /** null: 204 without a body. */
  reply: Type.TSchema | null;
  mime: string;
  csv?: (reply: never) => string;
  plainText?: string;
}

function toRoute(name: RouteName): Route {
  const data: RequestData & Partial<JsonData & BytesData> = ROUTES[name];
  const [method, path, kind = 'json']: Address = ADDRESSES[name];
  return {
    ...data,
    name,
    method,
    path,
    kind,
    ...completeReply(kind, data),
  };
}

/** Every route of the API, in the order in which addresses are compared. */
export const routes: readonly Route[] = Object.keys(ROUTES)
  .filter((name): name is RouteName => name in ADDRESSES)
  .map(toRoute);
