import { closestName } from '../../src/lib/closestName.ts';
import { messageOf, SvcError } from '../../src/lib/errors.ts';

/** The command that refused its flags or arguments. */
interface Refusing {
  /** Its words without `svc`; '' = unknown. */
  name: string;
  /** Names of its flags, without dashes. */
  flags: readonly string[];
  /** What it was given. */
  argv: readonly string[];
}

/** A reading of one message of oclif; null where it is another one. */
type Reading = (message: string, refusing: Refusing) => string | null;

const reading =
  (pattern: RegExp, say: (parts: readonly string[], refusing: Refusing) => string): Reading =>
  (message, refusing) => {
    const found = pattern.exec(message);
    return found === null
      ? null
      : say(
          found.slice(1).map((part) => part ?? ''),
          refusing,
        );
  };

const list = (text: string): string[] => text.split(/,\s*/);

/** Names the one that was probably meant; empty where none is close. */
function meant(given: string, known: readonly string[], dashes = ''): string {
  const near = closestName(given, known);
  return near === null ? '' : ` Did you mean ${dashes}${near}?`;
}

function unknownFlag(given: string, known: readonly string[]): string {
  const flag = given.replace(/=.*/s, '');
  return `Unknown flag ${flag}.${flag.startsWith('--') ? meant(flag.slice(2), known, '--') : ''}`;
}

/** Ways in which one flag is in conflict with others, as oclif words them. */
const CONFLICTS: readonly Reading[] = [
  reading(/^Missing required flag (\S+)/, ([name]) => `--${name} is missing.`),
  reading(
    /^All of the following must be provided when using (--\S+): (.+)$/,
    ([flag, others = '']) => `${flag} needs ${list(others).join(' and ')}.`,
  ),
  reading(
    /^(--[a-z-]+)=.* cannot also be provided when using (--\S+)/s,
    ([one, other]) => `${one} and ${other} cannot be combined. Give one.`,
  ),
];

const READINGS: readonly Reading[] = [
  reading(/^Nonexistent flags?: (.+)/, ([given = ''], { flags }) =>
    list(given)
      .map((flag) => unknownFlag(flag, flags))
      .join(' '),
  ),
  reading(
    /^Missing \d+ required args?:\n(\S+)(?: +(.+))?/,
    ([name, meaning]) => `The argument ${name} is missing${meaning ? `: ${meaning}` : '.'}`,
  ),
  reading(/^Unexpected arguments?: (.+)/, ([words]) => `Too many arguments: ${words}.`),
  reading(
    /^Parsing (--\S+) \s*Expected an integer greater than or equal to (\S+) but received: (.*)/s,
    ([flag, least, given]) => `${flag} must be a whole number of at least ${least}, not ${given}.`,
  ),
  reading(
    /^Parsing (--\S+) \s*Expected an integer less than or equal to (\S+) but received: (.*)/s,
    ([flag, most, given]) => `${flag} must be a whole number of at most ${most}, not ${given}.`,
  ),
  reading(
    /^Parsing (--\S+) \s*Expected an integer but received: (.*)/s,
    ([flag, given]) => `${flag} must be a whole number, not ${given}.`,
  ),
  reading(/^Flag (--\S+) expects (?:a value|one of these values.*)/, ([flag = ''], { argv }) => {
    // What begins with a minus is read as a flag.
    const next = argv[argv.indexOf(flag) + 1] ?? '';
    const isValue = argv.includes(flag) && /^-[a-z]{2,}$/.test(next);
    return `${flag} needs a value.${isValue ? ` One that begins with a minus follows "=": ${flag}=${next}.` : ''}`;
  }),
  reading(/^Flag (--\S+) can only be specified once/, ([flag]) => `${flag} is given twice.`),
  reading(
    /^Expected (--[a-z-]+)=(.*) to be one of: (.*)/s,
    ([flag, given = '', options = '']) =>
      `${flag} must be one of ${options}, not ${given}.${meant(given, list(options))}`,
  ),
  reading(
    /^Expected (.*) to be one of: (.*)/s,
    ([given = '', options = '']) =>
      `${given} is not one of ${options}.${meant(given, list(options))}`,
  ),
  (message, refusing) => {
    const [first, ...reasons] = message.split('\n').map((line) => line.trim());
    if (!/^The following errors? occurred:$/.test(first ?? '')) return null;
    return reasons
      .map(
        (reason) => CONFLICTS.map((read) => read(reason, refusing)).find(Boolean) ?? `${reason}.`,
      )
      .join(' ');
  },
];

/** What oclif appends to each of its messages. */
const FOOTER = /\nSee more help with --help$/;

/**
 * An error of oclif about flags and arguments in the words of all other errors: what is wrong, and
 * which help describes it. Every other error as it is.
 */
export function usageError(error: Error, refusing: Refusing): Error {
  if (!('oclif' in error) || ('code' in error && error.code === 'EEXIT')) return error;
  const message = messageOf(error).replace(FOOTER, '');
  const said = READINGS.map((read) => read(message, refusing)).find(Boolean) ?? message;
  const help = refusing.name === '' ? '' : ` See svc ${refusing.name} --help.`;
  return new SvcError('bad-argument', `${said}${help}`, { cause: error });
}
