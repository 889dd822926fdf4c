import { findNodeAtLocation } from 'jsonc-parser';
import type { Mistake } from './checkConfig.ts';
import type { Config } from '../configSchema.ts';
import type { ConfigText } from '../file/configText.ts';
import { parseInvariant } from '../../../base/invariants/parseInvariant.ts';
import { isOwnVariable } from '../../../base/settings/ownVariables.ts';
import { isLoopbackAddress } from '../../../base/http/isLoopbackAddress.ts';
import { reportOverlayMistakes } from '../settings/overlay.ts';
import { resolveConfiguredRules } from '../../../policy/guardrails/resolveConfiguredRules.ts';
import { LEAST_BACKUP_MS, MOST_BACKUP_MS } from '../../../base/settings/backup.ts';
import { LEAST_EVERY_MS, MOST_EVERY_MS } from '../../../base/settings/retention.ts';
import { reportCheckoutMistakes } from './reportCheckoutMistakes.ts';
import { reportScheduleMistakes } from './reportScheduleMistakes.ts';
import { reportNotificationMistakes } from './reportNotificationMistakes.ts';
import { parseShortDuration } from '../../../base/time/parseShortDuration.ts';
import { listParamTypeErrors } from '../../../contract/schema/job/jobParams.ts';
import { PERSON_OWNED_PARAMS } from '../../../base/jobs/params.ts';
import {
  TRIGGER_PLACEHOLDERS,
  listTriggerPlaceholders,
} from '../../../contract/schema/forge/trigger.ts';

/**
 * Mistakes of rules that no schema sees: names used twice, placeholders that mean nothing, words of
 * others where people decide.
 */
function reportTriggerMistakes(
  { triggers }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  const seenNames = new Set<string>();
  for (const [index, { id, params }] of triggers.entries()) {
    if (seenNames.has(id))
      report(['triggers', index, 'id'], `Two rules have the id ${id}. Give each rule its own id.`);
    seenNames.add(id);
    for (const { pointer, message } of listParamTypeErrors(params)) {
      const [name = '', item] = pointer.slice(1).split('/');
      report(
        ['triggers', index, 'params', name, ...(item === undefined ? [] : [Number(item)])],
        `triggers[${index}].params.${name} ${message}.`,
      );
    }
    for (const [name, value] of Object.entries(params)) {
      const placeholders = [value]
        .flat()
        .flatMap((one) => (typeof one === 'string' ? listTriggerPlaceholders(one) : []));
      const at = ['triggers', index, 'params', name];
      for (const one of placeholders.filter(
        (placeholder) => !TRIGGER_PLACEHOLDERS.includes(placeholder),
      ))
        report(
          at,
          `{{${one}}} is not a placeholder. Known: ${TRIGGER_PLACEHOLDERS.map((placeholder) => `{{${placeholder}}}`).join(', ')}.`,
        );
      if (placeholders.length > 0 && PERSON_OWNED_PARAMS.some((ownedParam) => ownedParam === name))
        report(
          at,
          `${name} controls what an agent may do on its own: write it out, without placeholders.`,
        );
    }
  }
}

/** Mistakes of `llm.aliases.*.fallback`: aliases that are unknown, share an account, or form a cycle. */
export function reportFallbackMistakes(
  { llm: { aliases, defaultProvider } }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  const names = Object.keys(aliases);
  const next = (name: string) =>
    Object.hasOwn(aliases, name) ? aliases[name]?.fallback : undefined;
  const findProvider = (name: string) => aliases[name]?.provider ?? defaultProvider;
  for (const name of names) {
    const fallback = next(name);
    if (fallback === undefined) continue;
    const problem = (what: string) =>
      report(['llm', 'aliases', name, 'fallback'], `llm.aliases.${name}.fallback ${what}`);
    if (fallback === name) problem('is the alias itself. Use another alias, or remove the key.');
    else if (!names.includes(fallback))
      problem(
        `is "${fallback}", but llm.aliases has no such alias. Add it, or name one of ${names.filter((one) => one !== name).join(', ') || 'those that you add'}.`,
      );
    else if (findProvider(fallback) === findProvider(name))
      problem(
        `is "${fallback}", which has the same provider ${findProvider(name)}. Name an alias with another provider.`,
      );
    else if (reachesAlias(fallback, name, next))
      problem(`leads back to ${name}. Remove one fallback to break the cycle.`);
  }
}

/** Whether the fallbacks of an alias reach a name; those after a mistake are not followed. */
function reachesAlias(
  from: string,
  name: string,
  next: (name: string) => string | undefined,
): boolean {
  const seenNames = new Set<string>();
  for (let at: string | undefined = from; at !== undefined && !seenNames.has(at); at = next(at)) {
    if (at === name) return true;
    seenNames.add(at);
  }
  return false;
}

/** Schedules that no one means: runs too close together, or none for years. */
function reportRetentionMistakes(
  { retention: { every } }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  if (every === null) return;
  const ms = parseShortDuration(every) ?? 0;
  if (ms < LEAST_EVERY_MS || ms > MOST_EVERY_MS)
    report(
      ['retention', 'every'],
      `retention.every is "${every}", but must be a duration from 10m to 365d, such as 24h; null switches the schedule off.`,
    );
}

/** A schedule of backups that has no place, or that no one means. */
function reportBackupMistakes(
  { backup: { every, folder } }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  if (every === null) return;
  const ms = parseShortDuration(every) ?? 0;
  if (ms < LEAST_BACKUP_MS || ms > MOST_BACKUP_MS)
    report(
      ['backup', 'every'],
      `backup.every is "${every}", but must be a duration from 1h to 365d, such as 24h; null switches the schedule off.`,
    );
  if (folder === null)
    report(
      ['backup', 'every'],
      'backup.every needs backup.folder: a folder outside of the home, best on another disk, such as "~/svc-backups".',
    );
}

/** Mistakes of `guardrails.rules` that no schema sees: conditions, and keys that a rule lacks. */
function reportGuardrailMistakes(
  { guardrails }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  for (const { index, key, message } of resolveConfiguredRules(guardrails.rules).mistakes)
    report(['guardrails', 'rules', index, ...(key === null ? [] : [key])], message);
}

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
  reportScheduleMistakes(config, report);
  reportCheckoutMistakes(config, report);
  reportFallbackMistakes(config, report);
  reportGuardrailMistakes(config, report);
  reportRetentionMistakes(config, report);
  reportBackupMistakes(config, report);
  reportNotificationMistakes(config, report);
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
          `mcpServers.${id}.allowedEnv names ${name}, which svc uses itself and never passes to a tool server. Remove it.`,
        );
    if (server.type === undefined) {
      const isForOther =
        server.allowedEnv !== undefined || server.timeoutMs !== undefined || !server.enabled;
      if (!isForOther || server.command || server.url)
        report(at, `mcpServers.${id} is missing the key "type". Add it.`);
      continue;
    }
    const requiredKey = server.type === 'stdio' ? 'command' : 'url';
    if (!server[requiredKey])
      report(
        at,
        `mcpServers.${id} is missing the key "${requiredKey}", which a server of type "${server.type}" needs. Add it.`,
      );
  }
  return mistakes;
}
