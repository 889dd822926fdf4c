import { closestName } from '../src/lib/closestName.ts';

/**
 * A command by its words, apart by a blank, and whether it is told by `--job` which job it is
 * about.
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
 * What is said of words that lead to no command: the nearest one, if there is one, and where all of
 * them are listed, or how the command is called that takes no arguments. Words behind a command may
 * be its arguments, so that fewer and fewer of them are looked at.
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
