import type { SessionNeed } from '../../contract/session/executor.ts';
import type { Billing } from '../../contract/session/usageReport.ts';
import { findPreset, resolvePresetName } from './requirePreset.ts';
import { type AcpConfig, readAcpSetting } from './presets/preset.ts';

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
export function resolveAcpBilling(config: AcpConfig, { llm }: SessionNeed): Billing {
  const named = resolvePresetName(llm.provider, config);
  const preset = findPreset(llm.provider, config);
  const signs = SIGNS[named];
  const model = preset?.settings.model ?? null;
  const vendor = named === 'opencode' ? readAcpSetting(config, 'opencodeProvider') : null;
  const hasKey = preset !== undefined && readAcpSetting(config, preset.settings.key) !== null;
  return {
    endpoint: signs ? readAcpSetting(config, signs.baseUrl) : null,
    vendor: vendor && (VENDORS[vendor] ?? vendor),
    paidBy: hasKey ? 'key' : signs?.signsIn ? 'subscription' : 'unknown',
    model: llm.model ?? (model && readAcpSetting(config, model)),
  };
}
