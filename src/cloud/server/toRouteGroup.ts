import { cloudRoutes, type CloudRoutes } from '../routes/cloudRoutes.ts';
import type { CloudRouteName } from '../routes/cloudAddresses.ts';
import type { AnyCloudCall, CloudHandlers, RouteGroup } from './cloudCall.ts';

/** The control plane's own routes with their handlers. */
export const toRouteGroup = (handlers: CloudHandlers<CloudRoutes>): RouteGroup => ({
  routes: cloudRoutes,
  answer({ name }, call) {
    // The request was checked by the same schemas that the handler's type is made of.
    const handle = handlers[name as CloudRouteName] as (checked: AnyCloudCall) => unknown;
    return handle(call);
  },
});
