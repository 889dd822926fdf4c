import { findClosestName } from '../../src/base/text/findClosestName.ts';
import { toErrorMessage, SvcError } from '../../src/base/errors/errors.ts';

interface RefusingCommand {
  /** Its words without `svc`; '' = unknown. */
  name: string;
  /** Names of its flags, without dashes. */
  flags: readonly string[];
  argv: readonly string[];
}

/** A reading of one message of oclif; null where it is another one. */
type MessageReader = (message: string, refusing: RefusingCommand) => string | null;

const createMessageReader =
  (
    pattern: RegExp,
    say: (parts: readonly string[], refusing: RefusingCommand) => string,
  ): MessageReader =>
  (message, refusing) => {
    const match = pattern.exec(message);
    return match === null
      ? null
      : say(
          match.slice(1).map((part) => part ?? ''),
          refusing,
        );
  };

const splitFlagList = (text: string): string[] => text.split(/,\s*/);

/** Suggests the closest name; empty if none is close. */
function suggestClosest(input: string, candidates: readonly string[], dashes = ''): string {
  const near = findClosestName(input, candidates);
  return near === null ? '' : ` Did you mean ${dashes}${near}?`;
}

function describeUnknownFlag(input: string, candidates: readonly string[]): string {
  const flag = input.replace(/=.*/s, '');
  return `Unknown flag ${flag}.${flag.startsWith('--') ? suggestClosest(flag.slice(2), candidates, '--') : ''}`;
}

const CONFLICTS: readonly MessageReader[] = [
  createMessageReader(/^Missing required flag (\S+)/, ([name]) => `--${name} is missing.`),
  createMessageReader(
    /^All of the following must be provided when using (--\S+): (.+)$/,
    ([flag, others = '']) => `${flag} needs ${splitFlagList(others).join(' and ')}.`,
  ),
  createMessageReader(
    /^(--[a-z-]+)=.* cannot also be provided when using (--\S+)/s,
    ([one, other]) => `${one} and ${other} cannot be combined. Give one.`,
  ),
];

const READINGS: readonly MessageReader[] = [
  createMessageReader(/^Nonexistent flags?: (.+)/, ([list = ''], { flags }) =>
    splitFlagList(list)
      .map((flag) => describeUnknownFlag(flag, flags))
      .join(' '),
  ),
  createMessageReader(
    /^Missing \d+ required args?:\n(\S+)(?: +(.+))?/,
    ([name, meaning]) => `The argument ${name} is missing${meaning ? `: ${meaning}` : '.'}`,
  ),
  createMessageReader(/^Unexpected arguments?: (.+)/, ([words]) => `Too many arguments: ${words}.`),
  createMessageReader(
    /^Parsing (--\S+) \s*Expected an integer greater than or equal to (\S+) but received: (.*)/s,
    ([flag, least, value]) => `${flag} must be a whole number of at least ${least}, not ${value}.`,
  ),
  createMessageReader(
    /^Parsing (--\S+) \s*Expected an integer less than or equal to (\S+) but received: (.*)/s,
    ([flag, most, value]) => `${flag} must be a whole number of at most ${most}, not ${value}.`,
  ),
  createMessageReader(
    /^Parsing (--\S+) \s*Expected an integer but received: (.*)/s,
    ([flag, value]) => `${flag} must be a whole number, not ${value}.`,
  ),
  createMessageReader(
    /^Flag (--\S+) expects (?:a value|one of these values.*)/,
    ([flag = ''], { argv }) => {
      // A value that begins with a minus is read as a flag.
      const next = argv[argv.indexOf(flag) + 1] ?? '';
      const isValue = argv.includes(flag) && /^-[a-z]{2,}$/.test(next);
      return `${flag} needs a value.${isValue ? ` One that begins with a minus follows "=": ${flag}=${next}.` : ''}`;
    },
  ),
  createMessageReader(
    /^Flag (--\S+) can only be specified once/,
    ([flag]) => `${flag} is given twice.`,
  ),
  createMessageReader(
    /^Expected (--[a-z-]+)=(.*) to be one of: (.*)/s,
    ([flag, value = '', options = '']) =>
      `${flag} must be one of ${options}, not ${value}.${suggestClosest(value, splitFlagList(options))}`,
  ),
  createMessageReader(
    /^Expected (.*) to be one of: (.*)/s,
    ([value = '', options = '']) =>
      `${value} is not one of ${options}.${suggestClosest(value, splitFlagList(options))}`,
  ),
  (message, refusing) => {
    const [first, ...reasons] = message.split('\n').map((line) => line.trim());
    if (!/^The following errors? occurred:$/.test(first ?? '')) return null;
    return reasons
      .map(
        (reason) =>
          CONFLICTS.map((messageReader) => messageReader(reason, refusing)).find(Boolean) ??
          `${reason}.`,
      )
      .join(' ');
  },
];

/** What oclif appends to each of its messages. */
const FOOTER = /\nSee more help with --help$/;

/** oclif's errors about flags and arguments in the words of svc; other errors unchanged. */
export function toUsageError(error: Error, refusing: RefusingCommand): Error {
  if (!('oclif' in error) || ('code' in error && error.code === 'EEXIT')) return error;
  const message = toErrorMessage(error).replace(FOOTER, '');
  const explanation =
    READINGS.map((messageReader) => messageReader(message, refusing)).find(Boolean) ?? message;
  const help = refusing.name === '' ? '' : ` See svc ${refusing.name} --help.`;
  return new SvcError('bad-argument', `${explanation}${help}`, { cause: error });
}
