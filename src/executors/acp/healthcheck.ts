import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { AcpConfig } from './presets/preset.ts';
import { presetOf } from './presetOf.ts';

/** Where agents look for programs: PATH is the runner's for them too. */
const FOLDERS = (process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter);

/** Path of a program that may be started; null = there is none. It is not run: what it does at its start is not asked for. */
async function found(program: string): Promise<string | null> {
  for (const path of program.includes('/') ? [program] : FOLDERS.map((folder) => join(folder, program))) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

/** Whether the agent of phases whose provider is `acp` is installed, and how to install it. */
export async function acpHealth(config: AcpConfig): Promise<{ ok: boolean; detail: string }> {
  const preset = presetOf('acp', config);
  const program = preset.program(config);
  if (program === null) return { ok: true, detail: 'Each agent names its own command line.' };
  const path = await found(program);
  return path === null
    ? { ok: false, detail: `There is no program ${program}. ${preset.install}` }
    : { ok: true, detail: `The agent ${preset.id} is there: ${path}.` };
}
