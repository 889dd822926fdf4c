import type { CloudHealth } from '../../contract/schema/cloud/cloudHealth.ts';
import type { cloudServiceRoutes } from '../routes/cloudServiceRoutes.ts';
import type { CloudHandlers } from './cloudCall.ts';

/** `openapi`: the document, made on first use. */
export const createServiceHandlers = (parts: {
  checkHealth(): Promise<CloudHealth>;
  openapi(): Record<string, unknown>;
}): CloudHandlers<typeof cloudServiceRoutes> => ({
  async health({ ctx }) {
    const health = await parts.checkHealth();
    if (health.status !== 'up') ctx.status = 503;
    return health;
  },
  openapi: () => parts.openapi(),
});
