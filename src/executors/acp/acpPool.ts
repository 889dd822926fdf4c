import type { SessionNeed } from '../../contract/executor.ts';
import type { CredentialPool } from '../../domain/credentialPool.ts';
import { keyPool } from '../process/quota/keyPool.ts';
import { acpBilling } from './billing.ts';
import { findPreset, presetName } from './presetOf.ts';
import { type AcpConfig, setting } from './presets/preset.ts';

/** APIs of the endpoints of presets; opencode names its own. */
const KINDS: Readonly<Record<string, string>> = {
  codex: 'openai',
  gemini: 'gemini',
  'claude-agent-acp': 'anthropic',
};

/** The account that the sessions of an agent use; null for an agent that is not known. */
export function acpPool(config: AcpConfig, need: SessionNeed): CredentialPool | null {
  const { provider } = need.llm;
  const named = presetName(provider, config);
  const preset = findPreset(provider, config);
  if (preset === undefined) return null;
  const kind = KINDS[named] ?? setting(config, 'opencodeProvider') ?? named;
  const { endpoint } = acpBilling(config, need);
  return keyPool(kind, endpoint, setting(config, preset.settings.key) ?? '');
}
