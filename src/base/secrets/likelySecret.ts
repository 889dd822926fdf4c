import { isUrlLike, findAddressSecrets } from './findAddressSecrets.ts';

/** Names of settings, variables and headers whose values are surely secrets. */
export const SECRET_NAME =
  /token|key|secret|passw|credential|auth|cookie|pat$|(?:^|_)dsn$|(?:database|db|redis|mongo|mongodb|postgres|mysql|amqp)_?ur[li]$/i;

/** The value, and the part after the scheme of a header, such as `Bearer`. */
function splitSecretValue(value: string): string[] {
  const bare = /^(?:bearer|basic|token) +(\S+)$/i.exec(value)?.[1];
  return bare === undefined ? [value] : [value, bare];
}

/** Shorter values are taken for settings, unless their name says that they are secret. */
const SHORTEST = 8;
/** From this length on, a word with digits counts as random, whatever the setting's name. */
const RANDOM_LENGTH = 20;
/** Bits a character needs to count as random: `ababab…` has one, a hexadecimal key nearly four. */
const RANDOM_BITS = 3.2;
/** No name of a program or a package has this many digits. */
const DIGITS_OF_SECRET = 3;

/** What occurs in any text: removing it would garble the text and hide nothing. */
const PLAIN: readonly RegExp[] = [
  // A word, or two that are joined: production, read-only, en-US, application/json.
  /^[A-Za-z]{1,24}(?:[-_./ ][A-Za-z]{1,24})?$/,
  // Names and addresses of machines and people: api.example.com, localhost:3000, 10.0.0.1:80,
  // me@example.com.
  /^(?:[\w.+-]+@)?[a-z]+(?:[.-][a-z]+)*(?::\d{2,5})?$/,
  /^(?:\[[\da-f:]+\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i,
  /^[a-z]{2}-[a-z]+-\d$/,
  // Numbers, sizes, dates, versions.
  /^[-+]?[\d.,:_/ -]+(?:[A-Za-z]{1,3})?$/,
  /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/,
  /^v?\d+(?:\.\d+)+(?:[-+][A-Za-z0-9.]{1,12})?$/,
  // Places of files, flags, placeholders, kinds of content.
  /^(?:~|\.{1,2}|file:\/\/)?\/\S*$/,
  /^(?:[\w.-]+\/)+[\w.-]*\.\w{1,5}$/,
  /^[A-Za-z]:[\\/]/,
  /^[A-Za-z][\w-]{0,60}\.[a-z]{1,5}$/,
  /^-{1,2}[A-Za-z][\w-]*$/,
  /^(?:\$\{?\w+\}?|\{\w+\}|%\w+%)$/,
  /^[a-z*]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)*(?:, ?[a-z*]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)*)*$/i,
];

/** Values of secret names that are settings all the same: single words and paths. */
const NAMED_PLAIN = /^(?:[A-Za-z]{1,15}|(?:~|\.{1,2})?\/.*)$/s;

/** Names of settings that hold names: models, regions, levels. */
const SETTING_NAME =
  /(?:model|region|zone|env|environment|level|mode|host|hostname|port|version|lang|locale|user|agent|name|type|encoding|path|dir|home)$/i;

/** Name of a package, with a version or without. */
const PACKAGE = /^@?[a-z][a-z0-9._-]*(?:\/[a-z0-9._-]+)?(?:@[\w.^~-]+)?$/;

function measureBitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / value.length) * Math.log2(count / value.length),
    0,
  );
}

const isRandom = (value: string): boolean =>
  value.length >= RANDOM_LENGTH &&
  /^[\w+/=-]+$/.test(value) &&
  /\d/.test(value) &&
  measureBitsPerCharacter(value) >= RANDOM_BITS;

const isPlainValue = (value: string): boolean =>
  value.length < SHORTEST || (!isRandom(value) && PLAIN.some((one) => one.test(value)));

/**
 * Secrets in the value of a variable or a header, whatever its name: passwords and query values of
 * an address, else the value, unless it is shorter than eight characters or a plain word, name,
 * number or path. Empty where it holds none.
 */
export function findSettingSecrets(name: string, value: string): string[] {
  if (isUrlLike(value)) return findAddressSecrets(value);
  const [, ...bare] = splitSecretValue(value);
  if (bare.length > 0) return [value, ...bare];
  if (SECRET_NAME.test(name)) return NAMED_PLAIN.test(value) ? [] : [value];
  if (isPlainValue(value) || (SETTING_NAME.test(name) && !isRandom(value))) return [];
  return [value];
}

/** Whether a program's argument looks like a secret: random, or letters and digits mixed. */
export function isSecretArgument(value: string): boolean {
  if (isUrlLike(value) || isPlainValue(value) || /\s/.test(value)) return false;
  if (isRandom(value)) return true;
  const packageName = PACKAGE.test(value) ? value.replace(/(.)@[^@]*$/, '$1') : value;
  const digits = packageName.replace(/\D/g, '').length;
  if (!/[A-Za-z]/.test(packageName) || packageName.length < SHORTEST) return false;
  return (
    digits >= DIGITS_OF_SECRET ||
    (digits > 0 && /[A-Z]/.test(packageName) && !/[./]/.test(packageName))
  );
}
