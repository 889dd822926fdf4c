import { messageOf } from '../../src/lib/errors.ts';
import { trustedAuthorities } from '../../src/network/authorities.ts';
import { proxyName, proxySecrets, readNetworkVariables } from '../../src/network/variables.ts';
import type { Io } from '../io.ts';
import { type Finding, failed, ok, warning } from './check.ts';

/** How requests leave this machine, as the variables of this shell say. */
export async function judgeNetwork(env: Io['env']): Promise<Finding> {
  try {
    const settings = readNetworkVariables(env);
    await trustedAuthorities(settings);
    const { httpProxy, httpsProxy, noProxy, authorities } = settings;
    const said = [
      httpsProxy === null ? 'no proxy' : `https through ${proxyName(httpsProxy)}`,
      ...(httpProxy === null ? [] : [`http through ${proxyName(httpProxy)}`]),
      ...(httpsProxy === null || noProxy === '' ? [] : [`directly to ${noProxy}`]),
      ...authorities.map(({ variable }) => `certificate authorities of ${variable}`),
    ].join(', ');
    if (proxySecrets(settings).length === 0) return ok(said);
    return warning(
      `${said}; agents and plugins get the proxy without its login`,
      'Where the proxy asks agents for a login too, run a relay on this machine that adds it, and name the relay in HTTPS_PROXY.',
    );
  } catch (error) {
    return failed(messageOf(error), 'Fix the variable for svc start too.');
  }
}
