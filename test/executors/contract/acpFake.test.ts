import { createAcpExecutor } from '../../../src/executors/acp/createAcpExecutor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { FAKE_AGENT } from '../../support/agents/builtAcpAgent.ts';
import { tryContract } from '../../support/agents/executorContract/contract.ts';

tryContract({
  name: 'acp with a small agent of our own',
  missing: null,
  async open(modelUrl, more = {}) {
    const config = {
      ...more,
      preset: 'custom',
      command: FAKE_AGENT.join(' '),
      key: modelUrl,
      keyVariable: 'ANTHROPIC_BASE_URL',
    };
    return createAcpExecutor({ clock: systemClock, config, graceMs: 500 });
  },
  ownTools: null,
  model: 'claude-sonnet-4-5',
  isProgram: true,
  triesBrokenAgain: false,
  reportsTries: false,
});
