import type { pluginRoutes } from '../../../contract/routes/pluginRoutes.ts';
import type { Handlers } from '../handler.ts';
import type { IncomingMessage } from 'node:http';
import { MAX_DELIVERY_BYTES } from '../../../contract/routes/route.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { chooseDeliveryStatus } from '../../../base/http/chooseDeliveryStatus.ts';
import { readSentHeaders } from '../../../base/http/readSentHeaders.ts';
import { discardBody, readBody } from '../../../base/system/network/requestBody.ts';
import type { PluginView } from '../../../contract/schema/runner/plugin.ts';
import { createSecretsPatch } from '../../../base/secrets/createSecretsPatch.ts';
import type { Context } from 'koa';
import type { Configuration } from '../../../contract/runner/configuration.ts';
import type { KeepSecrets } from '../../../contract/runner/plugins.ts';
import { PlainText } from '../replies/plainText.ts';
import { RETURN_PATH } from '../gates/gates.ts';

/** The bytes as they came: a signature is of them and of nothing else. */
async function readDeliveryBytes(req: IncomingMessage): Promise<Uint8Array> {
  const bytes = await readBody(req, MAX_DELIVERY_BYTES);
  if (bytes !== null) return bytes;
  await discardBody(req);
  throw new SvcError('too-large', `A delivery may have at most ${MAX_DELIVERY_BYTES} bytes.`);
}

/** Names of the secret settings of a plugin; none where its manifest cannot be read. */
const listSecretSettings = (plugins: readonly PluginView[], id: string): string[] =>
  Object.entries(plugins.find((one) => one.id === id)?.settings ?? {}).flatMap(
    ([name, { secret }]) => (secret === true ? [name] : []),
  );

const buildRedirectUri = (ctx: Context): string => `${ctx.protocol}://${ctx.host}${RETURN_PATH}`;

/** Secrets of a login go into the configuration file, and nowhere else. */
const createSecretKeeper =
  (config: Configuration): KeepSecrets =>
  async (plugin, secrets) => {
    // Any version: only these settings are written, and their old values are not checked.
    const { reply } = await config.change(
      { plugins: { installed: { [plugin]: { config: secrets } } } },
      '*',
    );
    return reply.restart;
  };

export const pluginHandlers = {
  async webhook({ params, ctx }, { runner }) {
    const answer = await runner.webhook(params.pluginId, {
      headers: readSentHeaders(ctx.req),
      rawBody: await readDeliveryBytes(ctx.req),
    });
    ctx.status = chooseDeliveryStatus(params.pluginId);
    return answer.challenge === undefined ? answer : new PlainText(answer.challenge);
  },
  plugins: (_call, { plugins }) => plugins.list(),
  installPlugin: ({ body }, { plugins }) => plugins.install(body),
  async uninstallPlugin({ params: { pluginId } }, { plugins, config }) {
    const secrets = listSecretSettings(plugins.list(), pluginId);
    await plugins.uninstall(pluginId);
    if (secrets.length === 0) return;
    const { reply } = await config.read();
    const change = createSecretsPatch(reply.config, pluginId, secrets);
    if (change !== null) await config.change(change.patch, null);
  },
  pluginModels: ({ params }, { plugins }) => plugins.models(params.pluginId),
  checkPlugin: ({ params }, { plugins }) => plugins.healthcheck(params.pluginId),
  testPlugin: ({ params }, { plugins }) => plugins.test(params.pluginId),
  detectPluginAuth: ({ params }, { plugins }) => plugins.detectAuth(params.pluginId),
  async applyPluginAuth({ params, body }, { plugins, config }) {
    const { pluginId } = params;
    const values = plugins.foundSecrets(pluginId, body.settings);
    // Any version: only these settings are written, and their old values are not checked.
    const { reply } = await config.change(
      { plugins: { installed: { [pluginId]: { config: values } } } },
      '*',
    );
    return {
      applied: plugins.detectAuth(pluginId).filter(({ setting }) => Object.hasOwn(values, setting)),
      restart: reply.restart,
    };
  },
  vendorLogins: ({ query, session }, { plugins }) => plugins.logins.status(session, query.executor),
  startVendorLogin: ({ ctx, body, session }, { plugins }) =>
    plugins.logins.start(body.executor, session, buildRedirectUri(ctx)),
  completeVendorLogin: ({ body, session }, { plugins, config }) =>
    plugins.logins.callback(body, session, createSecretKeeper(config)),
  cancelVendorLogin: ({ query }, { plugins }) => plugins.logins.cancel(query.executor),
  generateVendorToken: ({ body }, { plugins, config }) =>
    plugins.logins.longLivedToken(body.executor, createSecretKeeper(config)),
} satisfies Handlers<typeof pluginRoutes>;
