import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isPassingFault } from '../../errors/isPassingFault.ts';

/** The runner puts its own program before all others in the PATH of an agent. */
const OWN = ['svc'];
const LAYER = '{layer}/';

function isProgramFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    // A program that cannot be looked up just now does not count as missing.
    return isPassingFault(error);
  }
}

/**
 * Why a word of an agent's command does not work on this machine, as a clause: a program that is in
 * no folder of `path`, or a file that the agent's layer does not have. Null = nothing is known: other
 * placeholders are filled in when a job runs.
 */
export const createProgramCheck =
  (path: string) =>
  (word: string, layerRoot: string | null): string | null => {
    if (word.startsWith(LAYER)) {
      const file = layerRoot && join(layerRoot, word.slice(LAYER.length));
      return file !== null && !existsSync(file) ? `${file} does not exist` : null;
    }
    if (isAbsolute(word)) return existsSync(word) ? null : `${word} does not exist`;
    // Relative to a folder that a job makes, or with an ending that the system adds.
    if (/[\\/{]/.test(word) || OWN.includes(word) || process.platform === 'win32') return null;
    const isOnPath = path.split(delimiter).some((folder) => isProgramFile(join(folder, word)));
    return isOnPath ? null : `the program ${word} is in no folder of PATH`;
  };
