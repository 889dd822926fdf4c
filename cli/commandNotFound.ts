import { closestName } from '../src/lib/closestName.ts';

/**
 * What is said of words that lead to no command: the nearest one, if there is one, and where all of them are listed. `known` are
 * commands, words apart by a blank. Words behind a command may be its arguments, so that fewer and fewer of them are looked at.
 */
export function commandNotFound(words: readonly string[], known: readonly string[]): string {
  const starts = words.map((_, left) => words.slice(0, words.length - left).join(' '));
  const meant = starts.map((start) => closestName(start, known)).find((name) => name !== null);
  const [topic = ''] = words;
  const help = known.some((name) => name.startsWith(`${topic} `)) ? `svc help ${topic}` : 'svc help';
  const hint = meant ? ` Did you mean: svc ${meant}?` : '';
  return `${words.join(' ')} is not a svc command.${hint} All commands: ${help}`;
}
