import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { WebhookManifest } from '../runner/plugin.ts';
import { PLUGIN_ID } from '../runner/pluginId.ts';

const PluginId = Type.String({ pattern: PLUGIN_ID.source });
const ManifestHash = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** As long as the longest that a sender makes. */
const Secret = Type.String({
  minLength: 16,
  maxLength: 512,
  description: 'The secret that the sender has made; left out = one is made.',
});

/** Body of POST /teams/:teamId/webhooks. */
export const AddWebhookBody = Type.Object(
  {
    plugin: describe(PluginId, 'The sender: its plugin, such as github.'),
    secret: Type.Optional(Secret),
    manifest: Type.Optional(
      describe(
        ManifestHash,
        'For an installed plugin: hash of the manifest that you accept, from the list of webhooks.',
      ),
    ),
  },
  closed,
);
export type AddWebhookBody = Type.Static<typeof AddWebhookBody>;

/** Body of POST /teams/:teamId/webhooks/:pluginId/rotate. */
export const RotateWebhookBody = Type.Object(
  {
    secret: Type.Optional(Secret),
    now: Type.Optional(
      Type.Boolean({ description: 'The old secret ends at once. Default: after 24 h.' }),
    ),
  },
  closed,
);
export type RotateWebhookBody = Type.Static<typeof RotateWebhookBody>;

const WaitingRunner = Type.Object({
  runner: Type.String({ description: 'Name of the runner.' }),
  waiting: Type.Integer({ description: 'Webhooks that it has not taken yet.' }),
  refused: Type.Integer({ description: 'Webhooks of the last seven days that it refuses.' }),
  reason: nullable(Type.String(), 'Why it refuses the newest of them, or wants it later.'),
});

export const TeamWebhook = Type.Object({
  plugin: describe(PluginId, 'The sender.'),
  url: Type.String({ description: 'Where the sender sends its webhooks.' }),
  builtIn: Type.Boolean({ description: 'Whether svc knows by itself how the sender signs.' }),
  readable: Type.Boolean({
    description: 'false = its secret was sealed with another SVC_CLOUD_KEY: rotate it.',
  }),
  createdAt: describe(IsoTime, 'When it was added.'),
  previousUntil: nullable(IsoTime, 'Until when the secret before is valid too; null = it is not.'),
  lastAt: nullable(
    IsoTime,
    'When the newest webhook came, or a challenge of the sender was answered last, of the last seven days.',
  ),
  runners: Type.Array(WaitingRunner, {
    description: 'Runners for which webhooks wait, or that refuse some.',
  }),
});
export type TeamWebhook = Type.Static<typeof TeamWebhook>;

/** A job that a rule would have created, and that no runner has. */
const UnclaimedJob = Type.Object({
  rule: Type.String({ description: 'The rule, as runners have it in triggers.' }),
  plugin: Type.String({ description: 'The sender.' }),
  subject: nullable(Type.String(), 'What the job is about; null = nothing in particular.'),
  expired: Type.Boolean({ description: 'Whether it was given up, after 24 h.' }),
  reason: Type.String({ description: 'Why the last runner did not create it.' }),
  since: describe(IsoTime, 'Since when.'),
});

/** The webhook of a plugin that a runner of the team has installed. */
const OfferedManifest = Type.Object({
  plugin: Type.String({ description: 'The plugin.' }),
  runner: Type.String({ description: 'The runner that has it.' }),
  hash: describe(ManifestHash, 'What accepts it.'),
  manifest: WebhookManifest,
  accepted: Type.Boolean({ description: 'Whether the webhook of the team has this manifest.' }),
});

export const TeamWebhookList = Type.Object({
  webhooks: Type.Array(TeamWebhook),
  unclaimed: Type.Array(UnclaimedJob, {
    description: 'Jobs of rules that no runner has created, of the last seven days.',
  }),
  offered: Type.Array(OfferedManifest, {
    description: 'Manifests of installed plugins, for an admin to accept.',
  }),
});
export type TeamWebhookList = Type.Static<typeof TeamWebhookList>;

export const NewWebhook = Type.Object({
  ...TeamWebhook.properties,
  secret: nullable(
    Type.String(),
    'The secret, for the sender. It is shown once; null = you gave it.',
  ),
});
export type NewWebhook = Type.Static<typeof NewWebhook>;
