import type { SessionNeed } from '../../contract/session/executor.ts';
import type { CredentialPool } from '../../shared/agents/credentialPool.ts';
import { createKeyAccount } from '../process/quota/createKeyAccount.ts';
import { resolveAcpBilling } from './resolveAcpBilling.ts';
import { findPreset, resolvePresetName } from './requirePreset.ts';
import { type AcpConfig, readAcpSetting } from './presets/preset.ts';

/** APIs of the endpoints of presets; opencode names its own. */
const KINDS: Readonly<Record<string, string>> = {
  codex: 'openai',
  gemini: 'gemini',
  'claude-agent-acp': 'anthropic',
};

/** The account that the sessions of an agent use; null for an agent that is not known. */
export function resolveAcpAccount(config: AcpConfig, need: SessionNeed): CredentialPool | null {
  const { provider } = need.llm;
  const named = resolvePresetName(provider, config);
  const preset = findPreset(provider, config);
  if (preset === undefined) return null;
  const kind = KINDS[named] ?? readAcpSetting(config, 'opencodeProvider') ?? named;
  const { endpoint } = resolveAcpBilling(config, need);
  return createKeyAccount(kind, endpoint, readAcpSetting(config, preset.settings.key) ?? '');
}
