import { closestName } from '../src/lib/closestName.ts';

/**
 * A command as its words, separated by spaces, and whether it takes `--job`.
 */
export interface KnownCommand {
  name: string;
  takesJob: boolean;
}

export interface NotFound {
  detail: string;
  /**
   * The command that was called with an argument that it does not take; undefined = there is no
   * such command.
   */
  called: string | undefined;
}

/**
 * The message for words that match no command: the nearest command, if any, and where all commands
 * are listed, or how to call a command that takes no arguments. Words after a command may be its
 * arguments, so ever shorter prefixes are tried.
 */
export function commandNotFound(
  words: readonly string[],
  commands: readonly KnownCommand[],
): NotFound {
  const known = commands.map(({ name }) => name);
  const starts = words.map((_, left) => words.slice(0, words.length - left).join(' '));
  const meant = starts.map((start) => closestName(start, known)).find((name) => name !== null);
  if (meant && starts.includes(meant)) {
    const [rest = ''] = words.slice(meant.split(' ').length);
    const takesJob = commands.some((command) => command.name === meant && command.takesJob);
    const instead = takesJob
      ? `Name the job with --job: svc ${meant} --job ${rest}`
      : `See svc ${meant} --help.`;
    return { detail: `svc ${meant} takes no argument ${rest}. ${instead}`, called: meant };
  }
  const [topic = ''] = words;
  const help = known.some((name) => name.startsWith(`${topic} `))
    ? `svc help ${topic}`
    : 'svc help';
  const hint = meant ? ` Did you mean: svc ${meant}?` : '';
  return {
    detail: `${words.join(' ')} is not a svc command.${hint} All commands: ${help}`,
    called: undefined,
  };
}
