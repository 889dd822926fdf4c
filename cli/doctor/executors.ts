import { toDocsAddress } from '../../src/base/http/toDocsAddress.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import {
  listAgentUses,
  openBuiltInExecutors,
  formatAgentState,
} from '../../src/plugins/builtInExecutors.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { type Check, toOkFinding, toSkippedFinding, toWarningFinding } from './check.ts';

const ID = 'executors';
const TITLE = 'Agent programs';

/**
 * One check for each agent that is configured, or that a model alias names: its program and
 * version, its key and its model. Sends no request to a model.
 */
export async function checkExecutors(settings: Settings): Promise<Check[]> {
  const executors = await openBuiltInExecutors({ clock: systemClock, settings: settings.plugins });
  const checks = await Promise.all(
    executors.flatMap((executor) => {
      const phaseModels = listAgentUses(settings.llm, executor.id);
      const providers = new Set(phaseModels.map(({ provider }) => provider));
      const set = (executor.configured?.() ?? []).filter(
        ({ provider }) => !providers.has(provider),
      );
      return [...phaseModels, ...set].map(async (use): Promise<Check[]> => {
        const state = await executor.state?.(use);
        if (!state) return [];
        const id = `${ID}.${use.provider}${use.model === null ? '' : `.${use.model}`}`;
        const detail = `${use.provider}: ${formatAgentState(state)}`;
        const finding =
          state.fix === null ? toOkFinding(detail) : toWarningFinding(detail, state.fix);
        return [{ id, title: TITLE, ...finding }];
      });
    }),
  );
  const findings = checks.flat();
  if (findings.length > 0) return findings;
  const none = toSkippedFinding(
    `no agent with a model is configured: ${toDocsAddress('guides/agents.md')}`,
  );
  return [{ id: ID, title: TITLE, ...none }];
}
