import { completeReply } from '../../contract/routes/completeReply.ts';
import { CLOUD_ADDRESSES, type CloudAddress, type CloudRouteName } from './cloudAddresses.ts';
import type {
  CloudBytesData,
  CloudJsonData,
  CloudRequestData,
  CloudRoute,
  CloudRouteData,
} from './cloudRoute.ts';
import { authoringRoutes } from './authoringRoutes.ts';
import { cloudServiceRoutes } from './cloudServiceRoutes.ts';
import { homeRoutes } from './homeRoutes.ts';
import { jobRoutes } from './jobRoutes.ts';
import { overlayRoutes } from './overlayRoutes.ts';
import { runnerRoutes } from './runnerRoutes.ts';
import { teamRoutes } from './teamRoutes.ts';
import { webhookRoutes } from './webhookRoutes.ts';

/**
 * The control plane's own routes as data; those of a runner below a team are derived from the runner's table. A name
 * without an address, or an address without an entry here, does not compile.
 */
const CLOUD_ROUTES = {
  ...cloudServiceRoutes,
  ...teamRoutes,
  ...runnerRoutes,
  ...jobRoutes,
  ...homeRoutes,
  ...overlayRoutes,
  ...authoringRoutes,
  ...webhookRoutes,
} satisfies { readonly [Name in CloudRouteName]: CloudRouteData<Name> };
export type CloudRoutes = typeof CLOUD_ROUTES;

const ADDRESSES: Readonly<Record<CloudRouteName, CloudAddress>> = CLOUD_ADDRESSES;

function toCloudRoute(name: CloudRouteName): CloudRoute {
  const data: CloudRequestData & Partial<CloudJsonData & CloudBytesData> = CLOUD_ROUTES[name];
  const [method, path, kind = 'json'] = ADDRESSES[name];
  return {
    ...data,
    name,
    method,
    path,
    kind,
    ...completeReply(kind, data),
  };
}

export const cloudRoutes: readonly CloudRoute[] = Object.keys(CLOUD_ROUTES)
  .filter((name): name is CloudRouteName => name in CLOUD_ADDRESSES)
  .map(toCloudRoute);
