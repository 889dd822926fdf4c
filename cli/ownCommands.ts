import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Commands of oclif about all others, those of plugins included. */
const ABOUT_ALL = ['help', 'autocomplete'];

/** The same, and what shells call to complete words. */
const BROUGHT = [...ABOUT_ALL, 'complete'];

const isCommandWord = (word: string): boolean => /^[a-z][a-z-]*$/.test(word);

/** Where svc's own commands are: a file each, its name the last word. */
export interface OwnCommands {
  folder: string;
  ending: '.js' | '.ts';
}

/**
 * What the words of a command line lead to: a command of svc, or a topic that only svc may extend;
 * null for everything else, and for the commands about all others. Looks for files, so no list has
 * to be read, and plugins cannot change the answer.
 */
export function classifyOwnWords(
  { folder, ending }: OwnCommands,
  words: readonly string[],
): 'command' | 'topic' | null {
  if (ABOUT_ALL.includes(words[0] ?? '')) return null;
  let place = folder;
  for (const word of words) {
    const next = join(place, word);
    if (isCommandWord(word) && existsSync(`${next}${ending}`)) return 'command';
    const isKept = place !== folder && existsSync(join(place, `index${ending}`));
    if (!isCommandWord(word)) return isKept ? 'command' : null;
    if (!existsSync(next)) return isKept ? 'topic' : null;
    place = next;
  }
  return place !== folder && existsSync(join(place, `index${ending}`)) ? 'command' : null;
}

/** Whether a plugin's command (words separated by spaces) collides with svc's own commands. */
export function isTakenByOwnCommand(ours: OwnCommands, command: string): boolean {
  const words = command.split(' ');
  if (BROUGHT.includes(words[0] ?? '') || classifyOwnWords(ours, words) !== null) return true;
  return words.every(isCommandWord) && existsSync(join(ours.folder, ...words));
}
