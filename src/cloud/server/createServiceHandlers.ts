import { SvcError } from '../../base/errors/errors.ts';
import type { CloudHealth, CloudReadiness } from '../../contract/schema/cloud/cloudHealth.ts';
import type { cloudServiceRoutes } from '../routes/cloudServiceRoutes.ts';
import type { CloudHandlers } from './cloudCall.ts';

const REFUSED =
  'A monitor sends "Authorization: Bearer <content of SVC_CLOUD_METRICS_TOKEN>"; start the node with that variable. It is valid for GET /metrics alone.';

/** `openapi`: the document, made on first use. */
export const createServiceHandlers = (parts: {
  checkHealth(): Promise<CloudHealth>;
  checkReadiness(): Promise<CloudReadiness>;
  /** Whether a bearer token may read the metrics. */
  isMetricsToken(bearer: string | undefined): boolean;
  readMetrics(): Promise<{ type: string; text: string }>;
  openapi(): Record<string, unknown>;
}): CloudHandlers<typeof cloudServiceRoutes> => ({
  async health({ ctx }) {
    const health = await parts.checkHealth();
    if (health.status !== 'up') ctx.status = 503;
    return health;
  },
  async ready({ ctx }) {
    const readiness = await parts.checkReadiness();
    if (readiness.status !== 'ready') ctx.status = 503;
    return readiness;
  },
  async metrics({ ctx }) {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
    if (!parts.isMetricsToken(bearer)) throw new SvcError('unauthorized', REFUSED);
    const { type, text } = await parts.readMetrics();
    ctx.body = text;
    ctx.set('Content-Type', type);
  },
  openapi: () => parts.openapi(),
});
