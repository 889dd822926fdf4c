import type { RowChange } from '../durable/chart.ts';
import { SvcError } from '../lib/errors.ts';
import type { WebhookReply } from '../schema/forge.ts';
import { isRemote } from '../scm/broker/remoteForge.ts';
import type { PrAddress } from '../scm/forge.ts';
import type { Forges } from '../scm/forges.ts';
import { concerned, type Delivery, type ReadWebhook } from '../webhooks/delivery.ts';
import type { RowReader } from '../store/rowReader.ts';

/** How long the ids of deliveries are kept, ms: GitHub sends none again that is older than three days. */
const KEPT_MS = 7 * 24 * 3_600_000;
const TABLE = 'webhook_deliveries';

export interface WebhooksDeps {
  /** By plugin id; one that is not there takes none. */
  readers: Readonly<Record<string, ReadWebhook>>;
  rows: RowReader;
  commit(rows: RowChange[]): Promise<unknown>;
  forges: Forges;
  /** Open pull requests of live jobs. */
  watched(forge: string): PrAddress[];
  /** Asks the forge for news now. */
  nudge(forge: string): void;
  now(): number;
}

interface DeliveryRow {
  plugin_id: string;
  delivery_id: string;
  at: number;
}

/**
 * Takes webhooks. A genuine delivery makes the runner look at its pull requests at once; what happened is read from the forge, so
 * that neither order nor doubles nor losses of deliveries change what a job hears.
 */
export const createWebhooks = ({ readers, rows, commit, forges, watched, nudge, now }: WebhooksDeps) => ({
  async webhook(pluginId: string, delivery: Delivery): Promise<WebhookReply> {
    const read = Object.hasOwn(readers, pluginId) ? readers[pluginId] : undefined;
    if (!read) {
      throw new SvcError(
        'not-found',
        `No webhooks are taken for ${pluginId}: set plugins.installed.${pluginId}.config.webhookSecret.`,
      );
    }
    const { id, subject } = read(delivery);
    const key = { plugin_id: pluginId, delivery_id: id };
    if (rows.one(TABLE, key)) return { accepted: true, duplicate: true };
    await commit([{ op: 'put', table: TABLE, row: { ...key, at: now() } }]);
    const forge = forges.get(pluginId);
    const prs = subject ? concerned(subject, watched(pluginId)) : [];
    if (forge && isRemote(forge) && prs.length > 0) {
      forge.touch(prs);
      nudge(pluginId);
    }
    return { accepted: true, duplicate: false };
  },

  /** Forgets deliveries that nobody sends again. */
  async tidy(): Promise<void> {
    const old = rows.all<DeliveryRow>(TABLE).filter(({ at }) => now() - at > KEPT_MS);
    const drops = old.map(
      ({ plugin_id, delivery_id }): RowChange => ({ op: 'drop', table: TABLE, key: { plugin_id, delivery_id } }),
    );
    if (drops.length > 0) await commit(drops);
  },
});
