import { programOnPath } from '../process/programOnPath.ts';
import type { AcpConfig } from './presets/preset.ts';
import { presetOf } from './presetOf.ts';

/** Whether the agent of phases whose provider is `acp` is installed, and how to install it. */
export async function acpHealth(config: AcpConfig): Promise<{ ok: boolean; detail: string }> {
  const preset = presetOf('acp', config);
  const program = preset.program(config);
  if (program === null) return { ok: true, detail: 'Each agent names its own command line.' };
  const path = programOnPath(program);
  return path === null
    ? { ok: false, detail: `The program ${program} was not found. ${preset.install}` }
    : { ok: true, detail: `The agent ${preset.id} is installed: ${path}.` };
}
