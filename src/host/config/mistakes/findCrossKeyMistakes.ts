import { findNodeAtLocation } from 'jsonc-parser';
import type { Mistake } from './checkConfig.ts';
import type { Config } from '../configSchema.ts';
import type { ConfigText } from '../file/configText.ts';
import { parseInvariant } from '../../../shared/invariants/parseInvariant.ts';
import { isOwnVariable } from '../../../shared/settings/ownVariables.ts';
import { isLoopbackAddress } from '../../../shared/http/isLoopbackAddress.ts';
import { reportFallbackMistakes } from './reportFallbackMistakes.ts';
import { reportGuardrailMistakes } from './reportGuardrailMistakes.ts';
import { reportOverlayMistakes } from '../settings/overlay.ts';
import { reportRetentionMistakes } from './reportRetentionMistakes.ts';
import { reportTriggerMistakes } from './reportTriggerMistakes.ts';

/**
 * Mistakes that no schema sees, because two keys or the flags are involved. `host`: the address
 * that `--host` gave.
 */
export function findCrossKeyMistakes(
  text: ConfigText,
  config: Config,
  host: string | undefined,
): Mistake[] {
  const mistakes: Mistake[] = [];
  const report = (path: (string | number)[], message: string) => {
    mistakes.push({
      path,
      offset: (findNodeAtLocation(text.root, path) ?? text.root).offset,
      message,
    });
  };
  reportOverlayMistakes(config, report);
  reportTriggerMistakes(config, report);
  reportFallbackMistakes(config, report);
  reportGuardrailMistakes(config, report);
  reportRetentionMistakes(config, report);
  for (const [index, rule] of config.invariants.entries())
    for (const { key, message } of parseInvariant(rule).problems)
      report(
        ['invariants', index, ...(key === null ? [] : [key])],
        `invariants[${index}]${key === null ? '' : `.${key}`} ${message}.`,
      );
  const address = host ?? config.server.host;
  if (config.server.auth === 'off' && !isLoopbackAddress(address)) {
    report(
      ['server', 'auth'],
      `server.auth "off" would open the runner to everyone who can reach ${address}. Use "auto", or listen on 127.0.0.1.`,
    );
  }
  for (const [id, server] of Object.entries(config.mcpServers)) {
    const at = ['mcpServers', id];
    if (id.toLowerCase() === 'svc')
      report(at, 'The id svc is reserved for the runner. Give this server another id.');
    for (const [index, name] of (server.allowedEnv ?? []).entries())
      if (isOwnVariable(name))
        report(
          [...at, 'allowedEnv', index],
          `mcpServers.${id}.allowedEnv names ${name}, which svc itself uses and gives to no tool server. Remove it.`,
        );
    if (server.type === undefined) {
      const isForOther =
        server.allowedEnv !== undefined || server.timeoutMs !== undefined || !server.enabled;
      if (!isForOther || server.command || server.url)
        report(at, `mcpServers.${id} lacks the key "type". Add it.`);
      continue;
    }
    const needed = server.type === 'stdio' ? 'command' : 'url';
    if (!server[needed])
      report(
        at,
        `mcpServers.${id} lacks the key "${needed}", which a server of type "${server.type}" needs. Add it.`,
      );
  }
  return mistakes;
}
