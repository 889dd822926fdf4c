import type { Clock } from '../../lib/clock.ts';
import { SvcError } from '../../lib/errors.ts';
import type { Executor, ExecutorCapabilities } from '../executor.ts';
import { endMarked } from '../orphans.ts';
import { writeSessionFiles } from '../sessionFiles.ts';
import { AcpSession } from './acpSession.ts';
import { plan } from './plan.ts';
import { PRESETS } from './presets/index.ts';
import { type AcpConfig, type Preset, setting } from './presets/preset.ts';

/** Wait between SIGTERM and SIGKILL where nobody says otherwise: agents that are done, left-over children, orphans. */
const DEFAULT_GRACE_MS = 2_000;

/** What every agent of the protocol can do; some can do more. */
export const ACP_CAPABILITIES: ExecutorCapabilities = {
  steering: true,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: true,
  skills: false,
  systemPrompt: true,
};

/** `acp:gemini` asks for the preset gemini, `acp` for that of the settings. */
function presetOf(provider: string, config: AcpConfig): Preset {
  const named = provider.includes(':') ? provider.slice(provider.indexOf(':') + 1) : (setting(config, 'preset') ?? 'opencode');
  const found = PRESETS.find(({ id }) => id === named);
  if (found) return found;
  throw new SvcError(
    'bad-argument',
    `${provider} asks for the agent ${named}, which acp does not know. Known: ${PRESETS.map(({ id }) => id).join(', ')}.`,
  );
}

/** Runs agents that speak the Agent Client Protocol over stdin and stdout, one process a session. */
export const acpExecutor = ({
  clock,
  config,
  graceMs = DEFAULT_GRACE_MS,
}: {
  clock: Clock;
  config: AcpConfig;
  graceMs?: number;
}): Executor => ({
  id: 'acp',
  capabilities: ACP_CAPABILITIES,

  async run(request) {
    const made = await plan(presetOf(request.llm.provider, config), request, config);
    await writeSessionFiles(request);
    return new AcpSession({ request, plan: made, clock, graceMs });
  },

  endOrphans: (markerPrefix) => endMarked(clock, (marker) => marker.startsWith(markerPrefix), graceMs),
});
