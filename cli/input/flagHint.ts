import { closestName } from '../../src/lib/closestName.ts';

/** Flags that a command does not have, as oclif's error about them carries them. */
const unknownFlags = (error: unknown): string[] => {
  const { flags, message } = Object(error);
  return Array.isArray(flags) && String(message).startsWith('Nonexistent flag')
    ? flags.map(String)
    : [];
};

/** Names the flags that were probably meant; empty for another error and where none comes near. */
export function flagHint(error: unknown, known: readonly string[]): string {
  const meant = unknownFlags(error).flatMap((flag) => {
    const near = flag.startsWith('--')
      ? closestName(flag.slice(2).replace(/=.*/s, ''), known)
      : null;
    return near === null ? [] : `\nDid you mean --${near}?`;
  });
  return meant.join('');
}
