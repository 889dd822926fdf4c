import { toErrorMessage } from '../../base/errors/errors.ts';
import type { ConformanceCase, PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { BuiltInForgePlugin } from '../../contract/forge/builtInForge.ts';
import type { Plugin, PluginContext } from '../../contract/runner/plugin.ts';
import { createDeciderCases } from './decider.ts';
import { createBuiltInForgeCases } from './builtInForge.ts';
import { createExecutorCases } from './executor.ts';
import { CASE_MS, type Case, SkipError, awaitWithin } from './expect.ts';
import { createScmCases } from './scm.ts';
import { createTrackerCases } from './tracker.ts';

export interface ConformanceOptions {
  plugin: Plugin | BuiltInForgePlugin;
  manifest: PluginManifest;
  context: PluginContext;
  /** Hosts of this machine and its network that git may reach; default none. */
  allowHosts?: readonly string[];
  dir: string;
  /** Longest short session of an executor, ms; default 10 s. */
  shortMs?: number;
  begin?(name: string, promise: string): Promise<void>;
  onCase?(result: ConformanceCase): Promise<void>;
}

function createConformanceCases({ plugin, ...options }: ConformanceOptions): Case[] {
  switch (plugin.kind) {
    case 'executor':
      return createExecutorCases({ plugin, ...options });
    case 'scm':
      return 'builtIn' in plugin
        ? createBuiltInForgeCases({ plugin, ...options })
        : createScmCases({ plugin, ...options });
    case 'tracker':
      return createTrackerCases({ plugin, ...options });
    case 'decider':
      return createDeciderCases({ plugin, ...options });
  }
}

async function runConformanceCase({
  run,
}: Case): Promise<Pick<ConformanceCase, 'outcome' | 'detail'>> {
  try {
    await awaitWithin(CASE_MS, 'the case did not end', run());
    return { outcome: 'passed', detail: '' };
  } catch (error) {
    return {
      outcome: error instanceof SkipError ? 'skipped' : 'failed',
      detail: toErrorMessage(error),
    };
  }
}

/** Tests every promise of the contract for the plugin's kind, in sequence. Never rejects. */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceCase[]> {
  const results: ConformanceCase[] = [];
  for (const one of createConformanceCases(options)) {
    await options.begin?.(one.name, one.promise);
    const result = { name: one.name, promise: one.promise, ...(await runConformanceCase(one)) };
    results.push(result);
    await options.onCase?.(result);
    // The other cases cannot be tried on a plugin that cannot be created.
    if (one.name === 'manifest-is-true' && result.outcome === 'failed') break;
  }
  return results;
}
