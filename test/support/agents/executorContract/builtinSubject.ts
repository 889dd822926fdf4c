import { createBuiltinExecutor } from '../../../../src/executors/builtin/createBuiltinExecutor.ts';
import { readBuiltinSettings } from '../../../../src/executors/builtin/settings.ts';
import { systemClock } from '../../../../src/base/time/clock.ts';
import type { Subject } from './stage.ts';

/** The builtin executor over one of its two wires; it waits less between tries than usual. */
export const builtinSubject = (
  api: 'anthropic' | 'openai',
  more: Readonly<Record<string, number>> = {},
): Subject => ({
  name: `builtin ${api}`,
  missing: null,
  async open(modelUrl, config = {}) {
    const settings = readBuiltinSettings({
      api,
      baseUrl: modelUrl,
      apiKey: 'key-of-the-endpoint',
      maxRetries: 2,
      ...more,
      ...config,
    });
    const patience = { firstWaitMs: 5, longestWaitMs: 1_000, silenceMs: 10_000 };
    return createBuiltinExecutor({ clock: systemClock, settings, patience });
  },
  ownTools: {
    read: 'Read',
    write: 'Write',
    edit: 'Edit',
    shell: 'Bash',
    glob: 'Glob',
    grep: 'Grep',
    skill: 'Skill',
  },
  model: 'claude-sonnet-4-5',
});
