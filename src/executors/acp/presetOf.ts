import { SvcError } from '../../lib/errors.ts';
import { PRESETS } from './presets/index.ts';
import { type AcpConfig, type Preset, setting } from './presets/preset.ts';

/** `acp:gemini` names the preset gemini, `acp` that of the settings. */
export const presetName = (provider: string, config: AcpConfig): string =>
  provider.includes(':')
    ? provider.slice(provider.indexOf(':') + 1)
    : (setting(config, 'preset') ?? 'opencode');

/** The preset that a provider asks for; undefined = it is unknown. */
export const findPreset = (provider: string, config: AcpConfig): Preset | undefined => {
  const named = presetName(provider, config);
  return PRESETS.find(({ id }) => id === named);
};

/** The preset that a provider asks for. Throws SvcError `bad-argument` where it is unknown. */
export function presetOf(provider: string, config: AcpConfig): Preset {
  const found = findPreset(provider, config);
  if (found) return found;
  throw new SvcError(
    'bad-argument',
    `${provider} asks for the agent ${presetName(provider, config)}, which is unknown to acp. Known: ${PRESETS.map(({ id }) => id).join(', ')}.`,
  );
}
