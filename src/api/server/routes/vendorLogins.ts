import type { Context } from 'koa';
import type { Configuration } from '../../../contract/runner/configuration.ts';
import type { KeepSecrets } from '../../../contract/runner/plugins.ts';
import {
  VendorLoginBody,
  VendorLoginCallback,
  VendorLoginList,
  VendorLoginQuery,
  VendorLoginReply,
  VendorLoginView,
  WrittenSecrets,
} from '../../../contract/schema/runner/vendorLogin.ts';
import { readSessionName } from '../gates/access.ts';
import { RETURN_PATH } from '../gates/gates.ts';
import { defineJsonRoute } from '../route.ts';

const LOGIN = '/config/vendor/login';

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

/** Logins of executors at their vendors (OAuth 2.0 with PKCE); of people, never of agents. */
export const vendorLoginRoutes = [
  defineJsonRoute({
    name: 'vendorLogins',
    access: 'read',
    method: 'GET',
    path: `${LOGIN}/status`,
    summary:
      'Logins of executors at their vendors: those in progress, and how the last one of each ended. The address to open is only shown to the session that began it.',
    query: VendorLoginQuery,
    reply: VendorLoginList,
    refusals: [],
    handle: ({ ctx, query }, { plugins }) =>
      plugins.logins.status(readSessionName(ctx), query.executor),
  }),
  defineJsonRoute({
    name: 'startVendorLogin',
    access: 'write',
    method: 'POST',
    path: `${LOGIN}/start`,
    summary:
      'Begins the login of an executor at its vendor. It waits ten minutes for its callback, from the same session; a restart of the runner ends it.',
    body: VendorLoginBody,
    status: 201,
    reply: VendorLoginView,
    refusals: ['not-found', 'not-possible-now', 'conflict', 'invalid', 'unreachable'],
    handle: ({ ctx, body }, { plugins }) =>
      plugins.logins.start(body.executor, readSessionName(ctx), buildRedirectUri(ctx)),
  }),
  defineJsonRoute({
    name: 'completeVendorLogin',
    access: 'write',
    method: 'POST',
    path: `${LOGIN}/callback`,
    summary:
      'Completes a login with what came back from the vendor, once. The token is written to the configuration file and never shown.',
    body: VendorLoginCallback,
    reply: VendorLoginReply,
    refusals: [
      'not-found',
      'not-possible-now',
      'forbidden',
      'bad-argument',
      'invalid',
      'unreachable',
      'config-invalid',
      'store-failed',
    ],
    handle: ({ ctx, body }, { plugins, config }) =>
      plugins.logins.callback(body, readSessionName(ctx), createSecretKeeper(config)),
  }),
  defineJsonRoute({
    name: 'cancelVendorLogin',
    access: 'write',
    method: 'DELETE',
    path: LOGIN,
    summary: 'Cancels the login of an executor that is in progress.',
    query: VendorLoginBody,
    reply: null,
    refusals: ['not-found'],
    handle: ({ query }, { plugins }) => plugins.logins.cancel(query.executor),
  }),
  defineJsonRoute({
    name: 'generateVendorToken',
    access: 'write',
    method: 'POST',
    path: '/config/vendor/generate-oauth-token',
    summary:
      'Gets a token that lasts from the vendor of an executor, with the login there is. It is written to the configuration file and never shown.',
    body: VendorLoginBody,
    reply: WrittenSecrets,
    refusals: [
      'not-found',
      'not-possible-now',
      'forbidden',
      'bad-argument',
      'invalid',
      'unreachable',
      'config-invalid',
      'store-failed',
    ],
    handle: ({ body }, { plugins, config }) =>
      plugins.logins.longLivedToken(body.executor, createSecretKeeper(config)),
  }),
];
