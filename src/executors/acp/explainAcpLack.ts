import { isAbsolute } from 'node:path';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { SessionNeed } from '../../contract/session/executor.ts';
import { findProgramOnPath } from '../process/findProgramOnPath.ts';
import { requirePreset } from './requirePreset.ts';
import type { AcpConfig } from './presets/preset.ts';

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
    return preset.missing(config, llm.model);
  } catch (error) {
    return toErrorMessage(error);
  }
}
