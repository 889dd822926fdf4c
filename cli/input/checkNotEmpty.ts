import { SvcError } from '../../src/base/errors/errors.ts';

interface KnownFlag {
  name: string;
  char?: string | undefined;
}

/** Where to find what belongs there; a name that is not here needs no such help. */
const WHERE: Readonly<Record<string, string>> = {
  job: ' svc jobs lists the IDs of jobs.',
  repo: ' svc trust list lists the repositories.',
  plugin: ' svc plugin list lists the IDs of plugins.',
  reviewers: ' Give at least one name.',
};

const findFlagOfWord = (
  word: string | undefined,
  flags: readonly KnownFlag[],
): KnownFlag | undefined =>
  word === undefined
    ? undefined
    : flags.find(({ name, char }) => word === `--${name}` || word === `-${char}`);

/**
 * Refuses flags and arguments that are empty or blank: an empty variable of a shell script must not
 * become a request for something else. Throws SvcError `bad-argument`.
 */
export function checkNotEmpty(argv: readonly string[], flags: readonly KnownFlag[]): void {
  for (const [at, word] of argv.entries()) {
    if (word === '--') return;
    const [, joined] = /^(--[a-z-]+)=\s*$/.exec(word) ?? [];
    if (joined === undefined && word.trim() !== '') continue;
    const flag = findFlagOfWord(joined ?? argv[at - 1], flags);
    throw new SvcError(
      'bad-argument',
      flag ? `--${flag.name} is empty.${WHERE[flag.name] ?? ''}` : `Argument ${at + 1} is empty.`,
    );
  }
}
