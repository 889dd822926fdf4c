import type { Clock } from '../../lib/clock.ts';
import { SvcError } from '../../lib/errors.ts';
import type { Executor, ExecutorCapabilities } from '../../contract/executor.ts';
import { endMarked } from '../process/orphans.ts';
import type { Patience } from './askPatiently.ts';
import { NOT_SET_UP } from './endpoint.ts';
import type { BuiltinSettings } from './settings.ts';

/** Wait between SIGTERM and SIGKILL of what an earlier runner left, ms. */
const ORPHAN_GRACE_MS = 2_000;

export const BUILTIN_CAPABILITIES: ExecutorCapabilities = {
  steering: true,
  foldMidTurn: true,
  cancelsToolCalls: true,
  resume: true,
  skills: true,
  systemPrompt: true,
};

interface BuiltinExecutorOptions {
  clock: Clock;
  settings: BuiltinSettings;
  /** Default: as it should be outside of tests. */
  patience?: Patience;
}

/**
 * Our own coding agent: a loop around a model behind an Anthropic or OpenAI API. It lives in
 * the runner's process; what is needed for it is loaded with the first session.
 */
export const builtinExecutor = ({
  clock,
  settings,
  patience,
}: BuiltinExecutorOptions): Executor => ({
  id: 'builtin',
  capabilities: BUILTIN_CAPABILITIES,
  toolForm: () => ({ prefix: 'mcp__svc__', offered: true }),

  lacks({ llm }) {
    if (settings.baseUrl === null)
      return 'no endpoint is configured (plugins.installed.builtin.config.baseUrl)';
    const named = llm.model ?? settings.model;
    return named === null
      ? 'no model is set (plugins.installed.builtin.config.model, or a model alias for the phase)'
      : null;
  },

  async run(request) {
    const modelId = request.llm.model ?? settings.model;
    if (settings.baseUrl === null) {
      throw new SvcError(
        'bad-argument',
        `Phase ${request.phase} runs on the builtin executor. ${NOT_SET_UP}`,
      );
    }
    if (modelId === null) {
      throw new SvcError(
        'bad-argument',
        `Phase ${request.phase} runs on the builtin executor, but names no model: set plugins.installed.builtin.config.model, or a model alias for the phase.`,
      );
    }
    const { startBuiltinSession } = await import('./start.ts');
    return startBuiltinSession({
      request,
      settings,
      modelId,
      clock,
      ...(patience ? { patience } : {}),
    });
  },

  endOrphans: (markerPrefix) =>
    endMarked(clock, (marker) => marker.startsWith(markerPrefix), ORPHAN_GRACE_MS),
});
