import {
  type AgentState,
  type AgentUse,
  anyUse,
  foundText,
  keyText,
  modelText,
} from '../process/agentState.ts';
import { programOnPath } from '../process/programOnPath.ts';
import { programVersion } from '../process/programVersion.ts';
import { acpLacks } from './lacks.ts';
import { type AcpConfig, setting } from './presets/preset.ts';
import { PRESETS } from './presets/index.ts';
import { presetOf } from './presetOf.ts';

/** Providers of opencode that take requests without a key. */
const FREE = ['opencode'];

const PLACE = 'plugins.installed.acp.config';

/** The agents of which a key, a model or a program is set. */
export const configuredAgents = (config: AcpConfig): AgentUse[] =>
  PRESETS.filter(({ settings, pathSetting }) =>
    [settings.key, settings.model, pathSetting].some(
      (name) => name !== null && setting(config, name) !== null,
    ),
  ).map(({ id }) => anyUse(`acp:${id}`));

/** What is installed and set for one agent, and what it lacks. */
export async function acpState(config: AcpConfig, use: AgentUse): Promise<AgentState> {
  const preset = presetOf(use.provider, config);
  const { settings, install } = preset;
  const program = preset.program(config);
  if (program === null)
    return { found: `${preset.id}: each agent names its own command line`, lack: null, fix: null };
  const path = programOnPath(program);
  // What a program of others does with an argument that it does not know is not tried.
  const isKnown = preset.id !== 'custom';
  const version = path !== null && isKnown ? await programVersion(path) : null;
  const model = use.model ?? (settings.model === null ? null : setting(config, settings.model));
  const key = setting(config, settings.key);
  // Whether a provider takes requests without one is not known of its own endpoints.
  const known = setting(config, 'opencodeProvider');
  const isOwed =
    preset.id === 'opencode' &&
    key === null &&
    setting(config, 'opencodeBaseUrl') === null &&
    known !== null &&
    !FREE.includes(known);
  const lack =
    acpLacks(config, { llm: use, command: null }) ??
    (isOwed ? `no key is set for ${known} (${settings.key} in ${PLACE})` : null);
  const missing = path === null ? `the program ${program} was not found` : lack;
  const words = path === null || !isKnown ? [] : [modelText(model), keyText(key)];
  const name = `${preset.id} ${version ?? ''}`.trim();
  const found = foundText([name, ...(path === null ? [] : [path]), ...words], missing);
  if (missing === null) return { found, lack: null, fix: null };
  if (path === null) return { found, lack: missing, fix: install };
  const isKey = missing.includes(settings.key);
  const fix = isKey
    ? `Run: svc config set ${PLACE}.${settings.key} - < file`
    : `Run: svc config set ${PLACE}.${/\((\w+)/.exec(missing)?.[1] ?? '<setting>'} <value>`;
  return { found, lack: missing, fix };
}
