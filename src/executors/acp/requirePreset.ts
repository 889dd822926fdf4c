import { SvcError } from '../../base/errors/errors.ts';
import { PRESETS } from './presets/index.ts';
import { type AcpConfig, type Preset, readAcpSetting } from './presets/preset.ts';

/** `acp:gemini` names the preset gemini, `acp` the one in the settings. */
export const resolvePresetName = (provider: string, config: AcpConfig): string =>
  provider.includes(':')
    ? provider.slice(provider.indexOf(':') + 1)
    : (readAcpSetting(config, 'preset') ?? 'opencode');

export const findPreset = (provider: string, config: AcpConfig): Preset | undefined => {
  const presetName = resolvePresetName(provider, config);
  return PRESETS.find(({ id }) => id === presetName);
};

/** Throws SvcError `bad-argument` for an unknown preset. */
export function requirePreset(provider: string, config: AcpConfig): Preset {
  const preset = findPreset(provider, config);
  if (preset) return preset;
  throw new SvcError(
    'bad-argument',
    `${provider} asks for the agent ${resolvePresetName(provider, config)}, which is unknown to acp. Known: ${PRESETS.map(({ id }) => id).join(', ')}.`,
  );
}
