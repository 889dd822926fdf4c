import {
  createDefaultUse,
  formatFoundParts,
  describeKey,
  describeModel,
  type AgentState,
  type AgentUse,
} from '../process/agentState.ts';
import { findProgramOnPath } from '../process/findProgramOnPath.ts';
import { findProgramVersion } from '../process/findProgramVersion.ts';
import { readAcpSetting, type AcpConfig } from './presets/preset.ts';
import { PRESETS } from './presets/index.ts';
import { requirePreset } from './requirePreset.ts';
import { isAbsolute } from 'node:path';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { SessionNeed } from '../../contract/session/executor.ts';

/**
 * A path with a folder in it belongs to the job's checkout, and a placeholder is filled in later:
 * neither can be looked up.
 */
const canBeLookedFor = (program: string): boolean =>
  !program.includes('{') && (isAbsolute(program) || !program.includes('/'));

export function explainAcpLack(config: AcpConfig, { llm, command }: SessionNeed): string | null {
  try {
    const preset = requirePreset(llm.provider, config);
    const program = (preset.id === 'custom' ? command?.[0] : undefined) ?? preset.program(config);
    if (program === null)
      return 'no program is set (command in plugins.installed.acp.config, or `command:` of the agent)';
    if (canBeLookedFor(program) && findProgramOnPath(program) === null)
      return `the program ${program} was not found`;
    return preset.describeMissing(config, llm.model);
  } catch (error) {
    return toErrorMessage(error);
  }
}

/** Providers of opencode that take requests without a key. */
const FREE = ['opencode'];

const PLACE = 'plugins.installed.acp.config';

/** The agents for which a key, a model or a program is set. */
export const listConfiguredAgents = (config: AcpConfig): AgentUse[] =>
  PRESETS.filter(({ settings, pathSetting }) =>
    [settings.key, settings.model, pathSetting, settings.login ?? null].some(
      (name) => name !== null && readAcpSetting(config, name) !== null,
    ),
  ).map(({ id }) => createDefaultUse(`acp:${id}`));

export async function inspectAcpAgent(config: AcpConfig, use: AgentUse): Promise<AgentState> {
  const preset = requirePreset(use.provider, config);
  const { settings, install } = preset;
  const program = preset.program(config);
  if (program === null)
    return { found: `${preset.id}: each agent names its own command line`, lack: null, fix: null };
  const path = findProgramOnPath(program);
  // A program of others is not tried: what it does with an unknown argument is unknown.
  const isKnown = preset.id !== 'custom';
  const version = path !== null && isKnown ? await findProgramVersion(path) : null;
  const model =
    use.model ?? (settings.model === null ? null : readAcpSetting(config, settings.model));
  const key = readAcpSetting(config, settings.key);
  // It is unknown whether opencode's own endpoints take requests without a key.
  const providerSetting = readAcpSetting(config, 'opencodeProvider');
  const isOwed =
    preset.id === 'opencode' &&
    key === null &&
    readAcpSetting(config, 'opencodeBaseUrl') === null &&
    providerSetting !== null &&
    !FREE.includes(providerSetting);
  const lack =
    explainAcpLack(config, { llm: use, command: null }) ??
    (isOwed ? `no key is set for ${providerSetting} (${settings.key} in ${PLACE})` : null);
  const missing = path === null ? `the program ${program} was not found` : lack;
  const login = settings.login === undefined ? null : readAcpSetting(config, settings.login);
  const access =
    key === null && login !== null
      ? `your login in ${login} (shares the limits of its plan, runs in no sandbox)`
      : describeKey(key);
  const words = path === null || !isKnown ? [] : [describeModel(model), access];
  const name = `${preset.id} ${version ?? ''}`.trim();
  const parts = formatFoundParts([name, ...(path === null ? [] : [path]), ...words], missing);
  if (missing === null) return { found: parts, lack: null, fix: null };
  if (path === null) return { found: parts, lack: missing, fix: install };
  const isKey = missing.includes(settings.key);
  const loginFix =
    settings.login === undefined
      ? ''
      : `. To use your login instead, whose limits you then share with svc: svc config set ${PLACE}.${settings.login} <folder>`;
  const fix = isKey
    ? `Run: svc config set ${PLACE}.${settings.key} - < file${loginFix}`
    : `Run: svc config set ${PLACE}.${/\((\w+)/.exec(missing)?.[1] ?? '<setting>'} <value>`;
  return { found: parts, lack: missing, fix };
}
