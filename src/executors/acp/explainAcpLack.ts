import { isAbsolute } from 'node:path';
import { toErrorMessage } from '../../shared/errors/errors.ts';
import type { SessionNeed } from '../../contract/session/executor.ts';
import { findProgramOnPath } from '../process/findProgramOnPath.ts';
import { requirePreset } from './requirePreset.ts';
import type { AcpConfig } from './presets/preset.ts';

/**
 * Only these can be looked for: a path with a folder in it is one of the job's checkout, and a
 * placeholder is filled in later.
 */
const canBeLookedFor = (program: string): boolean =>
  !program.includes('{') && (isAbsolute(program) || !program.includes('/'));

/** Why no session of the agent could start; null = nothing is known against it. */
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
