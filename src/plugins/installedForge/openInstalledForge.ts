import { join } from 'node:path';
import type { PluginContext } from '../../contract/runner/plugin.ts';
import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { createSignedReader } from '../../providers/hooks/createSignedReader.ts';
import { readRequestsPerJob } from '../../providers/rest/forgePlugin.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../../contract/schema/runner/settings.ts';
import { type ConfiguredForge, parseForgeWatch } from '../builtInForges.ts';
import { addGivenSettings } from '../givenSettings.ts';
import { checkPluginConfig } from '../pluginConfig.ts';
import { KeptProcess } from '../process/keptProcess.ts';
import type { PluginProcess } from '../process/pluginProcess.ts';
import type { Report } from '../process/protocol.ts';
import { createInstalledForge } from './forge.ts';

/** Longest answer of a forge to a call, ms. */
export const CALL_MS = 30_000;

interface OpenInstalledForgeOptions {
  manifest: PluginManifest;
  settings: PluginSettings;
  clock: Clock;
  /** Longest answer, ms; default {@link CALL_MS}. */
  callMs?: number | undefined;
  /** Absolute folder of the mirrors of all forges. */
  mirrorsDir: string;
  start(onReport: (report: Report) => void): Promise<PluginProcess>;
  screen(text: string): string;
  mayAct: MayAct;
  onSecret(secret: string): void;
  onFault(what: string): void;
  onLeftOut(member: string, why: string): void;
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

export interface OpenInstalledForge {
  configured: ConfiguredForge;
  stop(): Promise<void>;
}

/** Never throws: wrong settings affect this forge only. */
export function openInstalledForge(options: OpenInstalledForgeOptions): OpenInstalledForge {
  const { manifest, settings, clock, callMs = CALL_MS } = options;
  const { id, webhook, offers = [] } = manifest;
  const process = new KeptProcess({ ...options, answerMs: callMs });
  const unusable = {
    id,
    forge: null,
    webhook: null,
    forwarded: null,
    selfIsPerson: false,
    watch: parseForgeWatch({}),
  };
  let config: PluginContext['config'];
  try {
    config = checkPluginConfig(addGivenSettings(manifest), settings.config ?? {});
  } catch (error) {
    return {
      configured: { ...unusable, problem: toErrorMessage(error) },
      stop: () => process.stop(),
    };
  }
  const secret = String(config.webhookSecret ?? '');
  const selfIsPerson = config.selfIsPerson === true;
  const readForwarded =
    webhook === undefined
      ? null
      : createSignedReader({
          id,
          signature: () => webhook,
          idHeaders: webhook.idHeader ? [webhook.idHeader] : ['webhook-id'],
          // A delivery only says that something happened; svc then asks for the news, as at every
          // poll.
          read: () => ({ subject: { repo: null, numbers: null }, event: null }),
        })(secret === '' ? null : secret);
  const forge = createInstalledForge({
    id,
    clock,
    selfIsPerson,
    perJob: readRequestsPerJob(config),
    ask: (call) => process.call(call),
    mayAct: options.mayAct,
    screen: options.screen,
    onSecret: options.onSecret,
    onLeftOut: options.onLeftOut,
    mirrorsDir: join(options.mirrorsDir, id),
    allowHosts: settings.allowHosts ?? [],
    can: {
      createRepo: offers.includes('createRepository'),
      changes: offers.includes('changes'),
      repositoryAt: offers.includes('repositoryAt'),
    },
    healthcheck: offers.includes('healthcheck') ? options.healthcheck : null,
  });
  return {
    configured: {
      id,
      forge,
      problem: null,
      webhook: secret === '' ? null : readForwarded,
      forwarded: readForwarded,
      selfIsPerson,
      watch: parseForgeWatch(config),
    },
    stop: () => process.stop(),
  };
}
