import { isSecretArgument, SECRET_NAME } from './likelySecret.ts';
import { isUrlLike, findAddressSecrets } from './findAddressSecrets.ts';

/** An argument, apart: what is shown of it before and after its secret; null = it holds none. */
export interface SecretArgument {
  before: string;
  secret: string;
}

/**
 * The secret of the argument at `index`: behind a flag with a secret's name, behind `=`, or by
 * itself. Secrets in addresses are not among them.
 */
export function findSecretArgument(args: readonly unknown[], index: number): SecretArgument | null {
  const argument = args[index];
  if (typeof argument !== 'string') return null;
  const [, flag, joined] = /^(-{0,2}[\w.-]+[=:] ?)(.+)$/s.exec(argument) ?? [];
  if (flag !== undefined && joined !== undefined && !isUrlLike(argument))
    return !isUrlLike(joined) &&
      (SECRET_NAME.test(flag.replace(/[=: ]+$/, '')) || isSecretArgument(joined))
      ? { before: flag, secret: joined }
      : null;
  const previous = args[index - 1];
  const isNamed =
    typeof previous === 'string' && /^-{1,2}[\w-]+$/.test(previous) && SECRET_NAME.test(previous);
  return (isNamed && !argument.startsWith('-')) || isSecretArgument(argument)
    ? { before: '', secret: argument }
    : null;
}

/** All secrets in the arguments of a program, those in addresses too. */
export const findArgumentSecrets = (args: readonly string[]): string[] =>
  args.flatMap((argument, index) => {
    const secretArgument = findSecretArgument(args, index);
    const address = argument.replace(/^-{0,2}[\w.-]+=(?=[a-z][a-z0-9+.-]*:\/\/)/i, '');
    return [
      ...(secretArgument === null ? [] : [secretArgument.secret]),
      ...(isUrlLike(address) ? findAddressSecrets(address) : []),
    ];
  });
