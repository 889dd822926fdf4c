import { INSTALL_RUNTIME } from '../../src/executors/sandbox/findRuntime.ts';
import { isUsable, type ProfileState, inspectProfiles } from '../../src/executors/sandbox/probe.ts';
import type { SandboxSettings } from '../../src/contract/schema/runner/settings.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

const SWITCH_ON = 'svc config set runner.sandbox auto';

/** The parts that a profile lacks, as one line; empty = none. */
const describeMissingParts = ({ profile, parts }: ProfileState): string => {
  const missing = parts.filter(({ ok: works }) => !works).map(({ detail }) => detail);
  return missing.length === 0 ? '' : `${profile}: ${missing.join(', ')}`;
};

const collectSandboxFixes = (states: readonly ProfileState[]): string[] => [
  ...new Set(
    states.flatMap(({ parts }) => parts.flatMap(({ fix }) => (fix === null ? [] : [fix]))),
  ),
];

/** Which parts of the sandbox work, and whether it is used. */
export function diagnoseSandbox(
  { sandbox }: Pick<SandboxSettings, 'sandbox'>,
  states: readonly ProfileState[],
): Finding {
  const profileState = states.find(isUsable);
  const lacking = states.map(describeMissingParts).filter((text) => text !== '');
  const fixes = collectSandboxFixes(states);
  const rest = lacking.length === 0 ? '' : ` (${lacking.join('; ')})`;
  if (profileState === undefined) {
    const detail = `no sandbox can be used: ${lacking.join('; ')}`;
    const fix = `Run: ${(fixes.length === 0 ? [INSTALL_RUNTIME] : fixes).join(' && ')}`;
    // Without a sandbox no job starts.
    return sandbox === 'required' ? toErrorFinding(detail, fix) : toWarningFinding(detail, fix);
  }
  if (sandbox === 'off')
    return toWarningFinding(
      `agents are not sandboxed; ${profileState.profile} would work here${rest}`,
      `Run: ${SWITCH_ON}`,
    );
  const better = states.slice(0, states.indexOf(profileState)).flatMap(({ parts }) => parts);
  const fix = better.flatMap((part) => (part.fix === null ? [] : [part.fix]));
  const detail = `${sandbox}: sessions use ${profileState.profile}${rest}`;
  return fix.length === 0
    ? toOkFinding(detail)
    : toWarningFinding(detail, `For hosts, run: ${fix.join(' && ')}`);
}

export const checkSandbox = async (
  settings: SandboxSettings,
  path: string | undefined,
  home: string,
): Promise<Finding> =>
  diagnoseSandbox(
    settings,
    await inspectProfiles(settings, { platform: process.platform, path, home }),
  );
