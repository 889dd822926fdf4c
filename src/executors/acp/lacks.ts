import { isAbsolute } from 'node:path';
import { messageOf } from '../../lib/errors.ts';
import type { SessionNeed } from '../../contract/executor.ts';
import { programOnPath } from '../process/programOnPath.ts';
import { presetOf } from './presetOf.ts';
import type { AcpConfig } from './presets/preset.ts';

/**
 * Only these can be looked for: a path with a folder in it is one of the job's checkout, and a
 * placeholder is filled in later.
 */
const canBeLookedFor = (program: string): boolean =>
  !program.includes('{') && (isAbsolute(program) || !program.includes('/'));

/** Why no session of the agent could start; null = nothing is known against it. */
export function acpLacks(config: AcpConfig, { llm, command }: SessionNeed): string | null {
  try {
    const preset = presetOf(llm.provider, config);
    const program = (preset.id === 'custom' ? command?.[0] : undefined) ?? preset.program(config);
    if (program === null)
      return 'no program is set (command in plugins.installed.acp.config, or `command:` of the agent)';
    if (canBeLookedFor(program) && programOnPath(program) === null)
      return `the program ${program} was not found`;
    return preset.missing(config, llm.model);
  } catch (error) {
    return messageOf(error);
  }
}
