import { findClosestName } from '../src/base/text/findClosestName.ts';

export interface UnknownCommand {
  detail: string;
  /** The command that was called with an argument that it does not take; undefined = none was. */
  called: string | undefined;
}

/** Words that people know from other programs, and the command that does it here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  approve: 'resume',
  attach: 'logs',
  create: 'job',
  down: 'stop',
  history: 'messages',
  kill: 'stop',
  list: 'jobs',
  ls: 'jobs',
  new: 'job',
  ps: 'jobs',
  quit: 'stop',
  retry: 'rerun',
  serve: 'start',
  setup: 'init',
  submit: 'job',
  tail: 'logs',
  ui: 'open',
  up: 'start',
  update: 'upgrade',
};

const MAX_PROPOSED = 3;

const pickLastWord = (name: string): string => name.slice(name.lastIndexOf(' ') + 1);

/**
 * The commands that unknown words probably mean: what other programs call so, commands with this
 * last word (`lint`: `workflow lint`), else the one with the closest name. Within a topic, its own
 * commands come first.
 */
function proposeCommands(words: readonly string[], knownCommands: readonly string[]): string[] {
  const [first = '', second] = words;
  const isTopic = knownCommands.some((name) => name.startsWith(`${first} `));
  const word = isTopic && second !== undefined ? second : first;
  const other = isTopic ? undefined : OTHER_WORDS[word];
  if (other !== undefined && knownCommands.includes(other)) return [other];
  const exact = knownCommands.filter((name) => pickLastWord(name) === word);
  if (exact.length > 0 && (exact.length === 1 || !isTopic)) return exact.slice(0, MAX_PROPOSED);
  const starts = words.map((_, droppedWords) =>
    words.slice(0, words.length - droppedWords).join(' '),
  );
  const closest = starts
    .map((start) => findClosestName(start, knownCommands))
    .find((name) => name !== null);
  if (closest) return [closest];
  const below = isTopic ? null : findClosestName(word, new Set(knownCommands.map(pickLastWord)));
  return knownCommands.filter((name) => pickLastWord(name) === below).slice(0, MAX_PROPOSED);
}

/**
 * The message for words that match no command: the commands that were probably meant, if any, and
 * where all commands are listed, or how to call a command that takes no arguments. Words after a
 * command may be its arguments, so ever shorter prefixes are tried.
 */
export function explainUnknownCommand(
  words: readonly string[],
  knownCommands: readonly string[],
): UnknownCommand {
  const starts = words.map((_, droppedWords) =>
    words.slice(0, words.length - droppedWords).join(' '),
  );
  // Of `plugins instal`, `plugins install` was meant, although `plugins` is a command too.
  const nearest = starts
    .map((start) => findClosestName(start, knownCommands))
    .find((name) => name !== null);
  const nearestStart = starts.find((start) => start === nearest);
  if (nearestStart !== undefined) {
    const [rest = ''] = words.slice(nearestStart.split(' ').length);
    return {
      detail: `svc ${nearestStart} takes no argument ${rest}. See svc ${nearestStart} --help.`,
      called: nearestStart,
    };
  }
  const [topic = ''] = words;
  const help = knownCommands.some((name) => name.startsWith(`${topic} `))
    ? `svc help ${topic}`
    : 'svc help';
  const proposals = proposeCommands(words, knownCommands);
  const hint =
    proposals.length === 0
      ? ''
      : ` Did you mean: ${proposals.map((name) => `svc ${name}`).join(', or ')}?`;
  return {
    detail: `${words.join(' ')} is not an svc command.${hint} All commands: ${help}`,
    called: undefined,
  };
}
