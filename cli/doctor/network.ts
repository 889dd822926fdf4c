import { toErrorMessage } from '../../src/shared/errors/errors.ts';
import { readTrustedAuthorities } from '../../src/shared/system/network/authorities.ts';
import {
  formatProxyName,
  listProxySecrets,
  readNetworkVariables,
} from '../../src/shared/system/network/variables.ts';
import type { Io } from '../io.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

/** How requests leave this machine, as the variables of this shell say. */
export async function diagnoseNetwork(env: Io['env']): Promise<Finding> {
  try {
    const settings = readNetworkVariables(env);
    await readTrustedAuthorities(settings);
    const { httpProxy, httpsProxy, noProxy, authorities } = settings;
    const said = [
      httpsProxy === null ? 'no proxy' : `https through ${formatProxyName(httpsProxy)}`,
      ...(httpProxy === null ? [] : [`http through ${formatProxyName(httpProxy)}`]),
      ...(httpsProxy === null || noProxy === '' ? [] : [`directly to ${noProxy}`]),
      ...authorities.map(({ variable }) => `certificate authorities of ${variable}`),
    ].join(', ');
    if (listProxySecrets(settings).length === 0) return toOkFinding(said);
    return toWarningFinding(
      `${said}; agents and plugins get the proxy without its login`,
      'Where the proxy asks agents for a login too, run a relay on this machine that adds it, and name the relay in HTTPS_PROXY.',
    );
  } catch (error) {
    return toErrorFinding(toErrorMessage(error), 'Fix the variable for svc start too.');
  }
}
