import type { SessionNeed } from '../../contract/executor.ts';
import type { Billing } from '../../contract/usageReport.ts';
import { findPreset, presetName } from './presetOf.ts';
import { type AcpConfig, setting } from './presets/preset.ts';

/** How the agents of single presets reach their model. */
const SIGNS: Readonly<Record<string, { baseUrl: string; signsIn: boolean }>> = {
  opencode: { baseUrl: 'opencodeBaseUrl', signsIn: false },
  gemini: { baseUrl: 'geminiBaseUrl', signsIn: true },
  codex: { baseUrl: 'codexBaseUrl', signsIn: true },
  'claude-agent-acp': { baseUrl: 'claudeAgentBaseUrl', signsIn: true },
};

/** Vendors that opencode names otherwise than the table of prices. */
const VENDORS: Readonly<Record<string, string>> = { xai: 'x-ai', vertex: 'google' };

/** How the calls of an agent are paid for; one that is unknown is not known to be paid at all. */
export function acpBilling(config: AcpConfig, { llm }: SessionNeed): Billing {
  const named = presetName(llm.provider, config);
  const preset = findPreset(llm.provider, config);
  const signs = SIGNS[named];
  const model = preset?.settings.model ?? null;
  const vendor = named === 'opencode' ? setting(config, 'opencodeProvider') : null;
  const hasKey = preset !== undefined && setting(config, preset.settings.key) !== null;
  return {
    endpoint: signs ? setting(config, signs.baseUrl) : null,
    vendor: vendor && (VENDORS[vendor] ?? vendor),
    paidBy: hasKey ? 'key' : signs?.signsIn ? 'subscription' : 'unknown',
    model: llm.model ?? (model && setting(config, model)),
  };
}
