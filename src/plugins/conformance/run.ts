import { messageOf } from '../../lib/errors.ts';
import type { ConformanceCase, PluginManifest } from '../../schema/plugin.ts';
import type { BuiltInForgePlugin } from '../../contract/builtInForge.ts';
import type { Plugin, PluginContext } from '../../contract/plugin.ts';
import { deciderCases } from './decider.ts';
import { builtInForgeCases } from './builtInForge.ts';
import { executorCases } from './executor.ts';
import { CASE_MS, type Case, Skipped, within } from './expect.ts';
import { scmCases } from './scm.ts';
import { trackerCases } from './tracker.ts';

export interface ConformanceOptions {
  plugin: Plugin | BuiltInForgePlugin;
  manifest: PluginManifest;
  context: PluginContext;
  /** Hosts of this machine and its network that git may reach; default none. */
  allowHosts?: readonly string[];
  /** An empty folder for what the cases need. */
  dir: string;
  /** Longest short session of an executor, ms; default 10 s. */
  shortMs?: number;
  begin?(name: string, promise: string): Promise<void>;
  ended?(result: ConformanceCase): Promise<void>;
}

function casesOf({ plugin, ...options }: ConformanceOptions): Case[] {
  switch (plugin.kind) {
    case 'executor':
      return executorCases({ plugin, ...options });
    case 'scm':
      return 'builtIn' in plugin
        ? builtInForgeCases({ plugin, ...options })
        : scmCases({ plugin, ...options });
    case 'tracker':
      return trackerCases({ plugin, ...options });
    case 'decider':
      return deciderCases({ plugin, ...options });
  }
}

async function outcomeOf({ run }: Case): Promise<Pick<ConformanceCase, 'outcome' | 'detail'>> {
  try {
    await within(CASE_MS, 'the case did not end', run());
    return { outcome: 'passed', detail: '' };
  } catch (error) {
    return { outcome: error instanceof Skipped ? 'skipped' : 'failed', detail: messageOf(error) };
  }
}

/**
 * Tests every promise of the contract for the plugin's kind, in sequence. Never rejects.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceCase[]> {
  const results: ConformanceCase[] = [];
  for (const one of casesOf(options)) {
    await options.begin?.(one.name, one.promise);
    const result = { name: one.name, promise: one.promise, ...(await outcomeOf(one)) };
    results.push(result);
    await options.ended?.(result);
    // The others cannot be tried on a plugin that cannot be made.
    if (one.name === 'manifest-is-true' && result.outcome === 'failed') break;
  }
  return results;
}
