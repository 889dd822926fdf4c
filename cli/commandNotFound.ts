import { closestName } from '../src/lib/closestName.ts';

export interface NotFound {
  detail: string;
  /**
   * The command that was called with an argument that it does not take; undefined = no command
   * was.
   */
  called: string | undefined;
}

/**
 * The message for words that match no command: the nearest command, if any, and where all commands
 * are listed, or how to call a command that takes no arguments. Words after a command may be its
 * arguments, so ever shorter prefixes are tried.
 */
export function commandNotFound(words: readonly string[], known: readonly string[]): NotFound {
  const starts = words.map((_, left) => words.slice(0, words.length - left).join(' '));
  const meant = starts.map((start) => closestName(start, known)).find((name) => name !== null);
  if (meant && starts.includes(meant)) {
    const [rest = ''] = words.slice(meant.split(' ').length);
    return {
      detail: `svc ${meant} takes no argument ${rest}. See svc ${meant} --help.`,
      called: meant,
    };
  }
  const [topic = ''] = words;
  const help = known.some((name) => name.startsWith(`${topic} `))
    ? `svc help ${topic}`
    : 'svc help';
  const hint = meant ? ` Did you mean: svc ${meant}?` : '';
  return {
    detail: `${words.join(' ')} is not an svc command.${hint} All commands: ${help}`,
    called: undefined,
  };
}
