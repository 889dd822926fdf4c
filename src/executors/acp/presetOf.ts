import { SvcError } from '../../lib/errors.ts';
import { PRESETS } from './presets/index.ts';
import { type AcpConfig, type Preset, setting } from './presets/preset.ts';

/** `acp:gemini` asks for the preset gemini, `acp` for that of the settings. */
export function presetOf(provider: string, config: AcpConfig): Preset {
  const named = provider.includes(':')
    ? provider.slice(provider.indexOf(':') + 1)
    : (setting(config, 'preset') ?? 'opencode');
  const found = PRESETS.find(({ id }) => id === named);
  if (found) return found;
  throw new SvcError(
    'bad-argument',
    `${provider} asks for the agent ${named}, which is unknown to acp. Known: ${PRESETS.map(({ id }) => id).join(', ')}.`,
  );
}
