import { cloudRoutes, type CloudRoutes } from '../routes/cloudRoutes.ts';
import type { CloudRouteName } from '../routes/cloudAddresses.ts';
import type { CloudObserver } from './metrics/cloudObserver.ts';
import { refuseSecrets } from './refuseSecrets.ts';
import type { AnyCloudCall, CloudHandlers, RouteGroup } from './cloudCall.ts';

/** The control plane's own routes with their handlers. What they store holds no token that is known by its form. */
export const toRouteGroup = (
  handlers: CloudHandlers<CloudRoutes>,
  observer: CloudObserver,
): RouteGroup => ({
  routes: cloudRoutes,
  answer({ name, body }, call) {
    // Bytes are entries and copies of homes, and deliveries that their senders sign.
    if (body !== undefined && body.form !== 'bytes') refuseSecrets(observer, name, call.body);
    // The request was checked by the same schemas that the handler's type is made of.
    const handle = handlers[name as CloudRouteName] as (checkedCall: AnyCloudCall) => unknown;
    return handle(call);
  },
});
