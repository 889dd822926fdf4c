import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Executor, ExecutorCapabilities } from '../../contract/executor.ts';
import { writeKeyFile } from '../process/keyFile.ts';
import { endMarked } from '../process/orphans.ts';
import { writeSessionFiles } from '../process/sessionFiles.ts';
import { ClaudeSession } from './claudeSession.ts';
import { claudeSettings } from './options.ts';
import { isSdkInstalled, type LoadedSdk, loadSdk } from './sdk.ts';

/**
 * Default wait between SIGTERM and SIGKILL: for programs that are done, left-over children,
 * orphans.
 */
const DEFAULT_GRACE_MS = 2_000;

export const CLAUDE_CAPABILITIES: ExecutorCapabilities = {
  steering: true,
  foldMidTurn: true,
  cancelsToolCalls: true,
  resume: true,
  skills: true,
  systemPrompt: true,
};

interface ClaudeExecutorOptions {
  clock: Clock;
  /** Settings that were checked against the manifest. */
  config: Readonly<Record<string, string | number | boolean>>;
  graceMs?: number;
  /** Loads the SDK from beside svc, or from the folder. */
  load?(dir: string | null): Promise<LoadedSdk>;
  /** Whether it could be loaded. */
  isInstalled?(dir: string | null): boolean;
}

interface ClaudeExecutor extends Executor {
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

/** Runs Claude Code by way of the Claude Agent SDK, if the user has installed it. */
export function claudeExecutor({
  clock,
  config,
  graceMs = DEFAULT_GRACE_MS,
  load = loadSdk,
  isInstalled = isSdkInstalled,
}: ClaudeExecutorOptions): ClaudeExecutor {
  const dir = typeof config.sdkDir === 'string' && config.sdkDir !== '' ? config.sdkDir : null;
  return {
    id: 'claude',
    capabilities: CLAUDE_CAPABILITIES,
    toolForm: () => ({ prefix: 'mcp__svc__', offered: true }),

    lacks() {
      if (!isInstalled(dir)) return 'the Claude Agent SDK is not installed';
      return config.apiKey ? null : 'no key is set (plugins.installed.claude.config.apiKey)';
    },

    async run(request) {
      const settings = claudeSettings(config, request.phase);
      const loaded = await load(dir);
      await writeSessionFiles(request);
      await writeKeyFile(request.sessionDir, settings.apiKey);
      return new ClaudeSession({ ...loaded, request, settings, clock, graceMs });
    },

    endOrphans: (markerPrefix) =>
      endMarked(clock, (marker) => marker.startsWith(markerPrefix), graceMs),

    async healthcheck() {
      try {
        const { version } = await load(dir);
        const missing = config.apiKey
          ? ''
          : ' No key is set: apiKey in plugins.installed.claude.config.';
        return {
          ok: missing === '',
          detail: `The Claude Agent SDK${version === null ? '' : ` ${version}`} is installed.${missing}`,
        };
      } catch (error) {
        return { ok: false, detail: messageOf(error) };
      }
    },
  };
}
