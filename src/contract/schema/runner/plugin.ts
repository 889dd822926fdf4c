import Type from 'typebox';
import { PLUGIN_ID } from './pluginId.ts';
import { nullable, closed } from '../kit/schemaKit.ts';

const Line = Type.String({ minLength: 1, maxLength: 500 });
/**
 * What a plugin is for. Executors run sessions, scm holds pull requests, a tracker holds issues, a
 * decider rates phases. `observability` reads logs and traces, and is only built in.
 */
export const PluginKind = Type.Enum(['executor', 'scm', 'tracker', 'decider', 'observability']);
export type PluginKind = Type.Static<typeof PluginKind>;

const Header = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$' });

/** Name of a member of a JSON body. */
const BodyMember = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' });

const PairName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$' });

/**
 * How deliveries of a provider are signed: HMAC of the raw body, or of `signed`, by `algorithm`, in `header`,
 * written as `format`.
 */
export const WebhookManifest = Type.Object(
  {
    algorithm: Type.Enum(['sha256', 'sha512']),
    /** Name of the header; case does not matter. */
    header: Header,
    /**
     * `hex`, `base64`, or `prefixed-hex`: `<algorithm>=` before the hex. `standard`: Standard
     * Webhooks, `v1,<base64>` over `id.timestamp.body`, several of them separated by spaces.
     * `token`: no HMAC, the header holds the secret itself.
     */
    format: Type.Enum(['hex', 'base64', 'prefixed-hex', 'standard', 'token']),
    /** Header with the id of a delivery; default: `webhook-id` for `standard`. */
    idHeader: Type.Optional(Header),
    /**
     * Header with the time in epoch seconds, where it is signed: for `standard` (default
     * `webhook-timestamp`), and for a `signed` with `{timestamp}`.
     */
    timestampHeader: Type.Optional(Header),
    /**
     * What is signed: text with `{id}`, `{timestamp}` and, at its end, `{body}`. Default `{body}`.
     * Not for `standard` and `token`.
     */
    signed: Type.Optional(Type.String({ minLength: 6, maxLength: 100 })),
    /**
     * The header is a list such as `t=1492774577,v1=5257a8…`: these are the names of its signature,
     * which may occur several times, and of the time in epoch seconds. Not for `standard` and
     * `token`.
     */
    pairs: Type.Optional(
      Type.Object({ signature: PairName, timestamp: Type.Optional(PairName) }, closed),
    ),
    /**
     * Member of the JSON body with the time in epoch ms; a delivery of another time than now is
     * refused.
     */
    timestampField: Type.Optional(BodyMember),
    /**
     * What the sender posts, signed, before it accepts the address: a JSON body whose `member` equals this text. svc
     * answers with the text of the member `reply`, 200 and text/plain. Not for `token`.
     */
    challenge: Type.Optional(
      Type.Object(
        {
          member: BodyMember,
          equals: Type.String({ pattern: '^[\\x20-\\x7e]{1,100}$' }),
          reply: BodyMember,
        },
        closed,
      ),
    ),
  },
  closed,
);
export type WebhookManifest = Type.Static<typeof WebhookManifest>;

/** One setting of a plugin. `secret` ones are never shown. */
export const PluginSetting = Type.Object(
  {
    type: Type.Enum(['string', 'number', 'integer', 'boolean']),
    description: Line,
    required: Type.Optional(Type.Boolean()),
    secret: Type.Optional(Type.Boolean()),
    default: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    enum: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100 })),
    /** Environment variable of the runner from which "auth detect" can take the value. */
    env: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,63}$' })),
  },
  closed,
);
export type PluginSetting = Type.Static<typeof PluginSetting>;

/** What is wrong with one setting of a plugin, without its value. */
export interface SettingMistake {
  /** Name of the setting. */
  name: string;
  /** `missing`: it is required and has no value; the others have one. */
  kind: 'unknown' | 'missing' | 'wrong';
  /** With the name in it: `"maxTurns" must be a whole number`. */
  message: string;
}

/**
 * Checks the settings of a plugin by its own manifest. `not-installed`: no plugin has this id;
 * `unreadable`: its manifest cannot be read. Both are not checked.
 */
export type CheckSettings = (
  plugin: string,
  values: Readonly<Record<string, unknown>>,
) => readonly SettingMistake[] | 'not-installed' | 'unreadable';

export const ExecutorFeatures = Type.Object(
  {
    steering: Type.Boolean(),
    foldMidTurn: Type.Boolean(),
    cancelsToolCalls: Type.Boolean(),
    resume: Type.Boolean(),
    skills: Type.Boolean(),
    systemPrompt: Type.Boolean(),
    /** Only executors that are part of svc have another than `none`, the default. */
    chat: Type.Optional(Type.Enum(['own-loop', 'read-only-agent', 'none'])),
    holdsAllowlist: Type.Optional(Type.Boolean()),
    reportsUsage: Type.Optional(Type.Enum(['each-call', 'each-turn', 'never'])),
    stopsBetweenCalls: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** Parts of a plugin that not every one has. */
export const PluginOffer = Type.Enum([
  'healthcheck',
  'models',
  'login',
  'createRepository',
  'changes',
  'repositoryAt',
  'issueAt',
  'commentIn',
]);
export type PluginOffer = Type.Static<typeof PluginOffer>;

/** What a plugin says of itself, readable without running it: member `svc` of its package.json. */
export const PluginManifest = Type.Object(
  {
    /** Version of the contract; this svc knows 1. */
    contract: Type.Literal(1),
    id: Type.String({ pattern: PLUGIN_ID.source }),
    kind: PluginKind,
    title: Line,
    /** Module of the plugin, relative to the package; it may not leave it. */
    entry: Type.String({ minLength: 1, maxLength: 200 }),
    /** Settings by name, read from `plugins.installed.<id>.config`. */
    settings: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]{0,63}$' }), PluginSetting),
    ),
    /** Executors only: what they can do. The runner relies on nothing that is false here. */
    capabilities: Type.Optional(ExecutorFeatures),
    /**
     * Executors only: what may follow the id and a colon in `provider:` of a phase. Left out, they
     * check it themselves.
     */
    variants: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' }), {
        minItems: 1,
        maxItems: 100,
      }),
    ),
    offers: Type.Optional(Type.Array(PluginOffer, { maxItems: 10 })),
    webhook: Type.Optional(WebhookManifest),
  },
  closed,
);
export type PluginManifest = Type.Static<typeof PluginManifest>;

/**
 * `unchecked`: not checked yet. `unhealthy` says why, and nothing runs on it until it is fixed or
 * installed again.
 */
export const PluginHealth = Type.Object({
  state: Type.Enum(['unchecked', 'healthy', 'unhealthy', 'disabled']),
  /** What is wrong or what the plugin says of itself; empty if there is nothing to report. */
  detail: Type.String(),
  /** ISO 8601; null = never. */
  checkedAt: nullable(Type.String()),
});
export type PluginHealth = Type.Static<typeof PluginHealth>;

/** A plugin as GET /plugins shows it. */
export const PluginView = Type.Object({
  id: Type.String(),
  /** null where the manifest cannot be read. */
  kind: nullable(PluginKind),
  title: Type.String(),
  version: Type.String(),
  /** `leftover`: it is not installed, but has settings in the configuration. */
  origin: Type.Enum(['built-in', 'installed', 'leftover']),
  health: PluginHealth,
  capabilities: nullable(ExecutorFeatures),
  offers: Type.Array(PluginOffer),
  /** Settings with their descriptions, never their values. */
  settings: Type.Record(Type.String(), PluginSetting),
  webhook: nullable(WebhookManifest),
});
export type PluginView = Type.Static<typeof PluginView>;

/** A job that has not ended and needs a plugin as its forge or tracker. */
export const PluginJob = Type.Object({
  id: Type.String(),
  status: Type.String(),
  /** `pull request minihub:acme/shop#7`, `repository acme/shop`, `ticket MT-1`. */
  needs: Type.Array(Type.String()),
});
export type PluginJob = Type.Static<typeof PluginJob>;

export const PluginJobList = Type.Array(PluginJob);
export const PluginList = Type.Array(PluginView);

/**
 * `spec`: a name in the npm registry, or an absolute path of a folder or a packed tarball on the
 * runner's machine.
 */
export const InstallPluginBody = Type.Object(
  {
    spec: Type.String({ minLength: 1, maxLength: 4096 }),
    /** The id that is expected; another one is refused. */
    id: Type.Optional(Type.String({ pattern: PLUGIN_ID.source })),
    /** Default false: scripts of the package and of its dependencies do not run. */
    allowScripts: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type InstallPluginBody = Type.Static<typeof InstallPluginBody>;

export const PluginModel = Type.Object({ id: Line, title: Line }, closed);
export type PluginModel = Type.Static<typeof PluginModel>;
export const PluginModelList = Type.Array(PluginModel, { maxItems: 1000 });

/** One case of the conformance kit; `detail` says what was wrong, or why it was left out. */
export const ConformanceCase = Type.Object({
  name: Type.String(),
  promise: Type.String(),
  outcome: Type.Enum(['passed', 'failed', 'skipped']),
  detail: Type.String(),
});
export type ConformanceCase = Type.Static<typeof ConformanceCase>;
/** Reply of POST /test/plugin/:id. */
export const ConformanceReport = Type.Object({
  id: Type.String(),
  passed: Type.Boolean(),
  cases: Type.Array(ConformanceCase),
});
export type ConformanceReport = Type.Static<typeof ConformanceReport>;

/** A secret setting that the runner's environment holds; the value itself is never sent. */
export const FoundAuth = Type.Object({ setting: Type.String(), env: Type.String() });
export type FoundAuth = Type.Static<typeof FoundAuth>;
export const FoundAuthList = Type.Array(FoundAuth);

/** `settings`: those to take from the environment; default all that were found. */
export const ApplyAuthBody = Type.Object(
  {
    settings: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
    ),
  },
  closed,
);
export type ApplyAuthBody = Type.Static<typeof ApplyAuthBody>;

/** What was written into the configuration file, and its keys that count from the next start on. */
export const AppliedAuth = Type.Object({
  applied: FoundAuthList,
  restart: Type.Array(Type.String()),
});
export type AppliedAuth = Type.Static<typeof AppliedAuth>;
