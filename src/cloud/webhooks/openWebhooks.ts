import { SvcError } from '../../base/errors/errors.ts';
import type { TeamWebhook } from '../../contract/schema/cloud/webhook.ts';
import type { webhookRoutes } from '../routes/webhookRoutes.ts';
import type { WebhookLinks } from '../runners/webhookLinks.ts';
import type { CloudHandlers } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { DELIVERY_RATE, RateLimits } from '../server/rateLimits.ts';
import type { Sealer } from '../server/sealer.ts';
import { answerClaim } from './askClaim.ts';
import { addWebhook, removeWebhook, rotateWebhook } from './changeWebhooks.ts';
import { Deliverer } from './deliverer.ts';
import { describeWebhooks, listTeamWebhooks } from './listWebhooks.ts';
import { receiveWebhook } from './receiveWebhook.ts';
import { toSecretPlace } from './findWebhook.ts';

export interface Webhooks {
  handlers: CloudHandlers<typeof webhookRoutes>;
  /** For the sockets of runners. */
  links: WebhookLinks;
  close(): Promise<void>;
}

const createNoKeyError = (): SvcError =>
  new SvcError(
    'not-possible-now',
    'The control plane has no key to seal secrets with. Start every node of it with the same SVC_CLOUD_KEY, 32 bytes in base64: openssl rand -base64 32',
  );

/** Webhooks that were sealed with another key, by team and sender: they are lost. */
async function reportLostSecrets({ database, log }: CloudContext, sealer: Sealer): Promise<void> {
  const rows = await database.sql`select team_id, plugin_id, secret from webhooks`;
  const unreadableRows = rows.filter(
    (row) => sealer.open(row.secret, toSecretPlace(row.team_id, row.plugin_id)) === null,
  );
  if (unreadableRows.length > 0)
    log.error(
      { webhooks: unreadableRows.map((row) => `${row.team_id}/${row.plugin_id}`) },
      'the secrets of webhooks were sealed with another SVC_CLOUD_KEY: their deliveries are refused. Start the node with that key, or give the senders new secrets: svc cloud webhook rotate <plugin>',
    );
}

/** The webhooks of all teams. Without a key, `sealer`, the node takes none and the rest works. */
export async function openWebhooks(
  context: CloudContext,
  sealer: Sealer | null,
): Promise<Webhooks> {
  if (sealer !== null) await reportLostSecrets(context, sealer);
  const deliverer = sealer === null ? null : new Deliverer(context, sealer);
  const parts = { context, sealer };
  const rates = new RateLimits(context.clock, DELIVERY_RATE);
  const requireSealer = (): Sealer => {
    if (sealer === null) throw createNoKeyError();
    return sealer;
  };
  const showWebhook = async (teamId: string, pluginId: string): Promise<TeamWebhook> => {
    const teamWebhook = (await listTeamWebhooks(parts, teamId)).find(
      ({ plugin }) => plugin === pluginId,
    );
    if (teamWebhook === undefined)
      throw new SvcError('not-found', 'The webhook was removed meanwhile.');
    return teamWebhook;
  };
  return {
    links: {
      attach: (runner, socket) => void deliverer?.attach(runner, socket),
      detach: (runner, socket) => deliverer?.detach(runner, socket),
      take(runner, frame, socket) {
        if (frame.type === 'hookAck') deliverer?.take(runner, frame);
        else void answerClaim(context, runner, frame, socket);
      },
    },
    handlers: {
      receiveWebhook: ({ params, ctx }) =>
        receiveWebhook(
          { ...parts, rates, onStored: (teamId) => deliverer?.wake(teamId) },
          params,
          ctx,
        ),
      webhooks: ({ team }) => describeWebhooks(parts, team.id),
      async addWebhook({ team, person, body }) {
        const request = { teamId: team.id, userId: person.userId, body };
        const secret = await addWebhook(context, requireSealer(), request);
        await deliverer?.nameSenders(team.id);
        return { ...(await showWebhook(team.id, body.plugin)), secret };
      },
      async rotateWebhook({ team, params: { pluginId }, body = {} }) {
        const request = { teamId: team.id, pluginId, body };
        const secret = await rotateWebhook(context, requireSealer(), request);
        return { ...(await showWebhook(team.id, pluginId)), secret };
      },
      async removeWebhook({ team, params }) {
        await removeWebhook(context, team.id, params.pluginId);
        await deliverer?.nameSenders(team.id);
      },
    },
    close: async () => deliverer?.close(),
  };
}
