import { isJsonObject } from '../../base/json/isJsonObject.ts';
import type Type from 'typebox';
import { isScreened } from '../../base/secrets/screenSecrets.ts';
import { findSettingSecrets, SECRET_NAME } from '../../base/secrets/likelySecret.ts';
import { findSecretArgument } from '../../base/secrets/secretArguments.ts';
import {
  isUrlLike,
  findAddressPasswords,
  listQueryValues,
} from '../../base/secrets/findAddressSecrets.ts';
import { findEntrySchema, findItemSchema } from './findSchemaAt.ts';

/** Stands where a secret is. Written back, it means: leave the secret as it is. */
export const HIDDEN = '********';

/** Gets each hidden secret, to take it out of other texts, and the keys that lead to it. */
type Note = (secret: string, path: Path) => void;

type Path = readonly (string | number)[];

const findLastName = (path: Path): string =>
  String(path.findLast((key) => typeof key === 'string') ?? '');

/**
 * Hides every text; numbers and switches stay. `name` decides what is noted: a user's name is not a
 * secret in a log. What is `handed` to a tool server is noted whatever its name, unless it is
 * plainly a setting.
 */
function hideTexts(value: unknown, path: Path, note: Note, handed = false): unknown {
  if (Array.isArray(value))
    return value.map((item, at) => hideTexts(item, [...path, at], note, handed));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        hideTexts(inner, [...path, key], note, handed),
      ]),
    );
  if (typeof value !== 'string' || value === '') return value;
  const name = findLastName(path);
  if (!handed && !isUrlLike(value) && !SECRET_NAME.test(name)) return HIDDEN;
  for (const secret of findSettingSecrets(name, value)) note(secret, path);
  return HIDDEN;
}

/** Hides a text that is a secret as it is, such as an address that anyone who knows it may post to. */
function hideWhole(value: unknown, path: Path, note: Note): unknown {
  if (typeof value !== 'string' || value === '') return value;
  // The address of a server alone is not a secret.
  if (!isUrlLike(value) || /^[^/]+\/\/[^/]+\/./.test(value)) note(value, path);
  return HIDDEN;
}

/** An address without name, password and query. The name alone of an ssh address is not a secret. */
function hideInAddress(value: unknown, path: Path, note: Note): unknown {
  if (typeof value !== 'string') return value;
  for (const secret of [...findAddressPasswords(value), ...listQueryValues(value)])
    note(secret, path);
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/\s?#]*)@/i, (all, scheme: string, user: string) =>
      /^ssh:/i.test(scheme) && !user.includes(':') ? all : `${scheme}${HIDDEN}@`,
    )
    .replace(/\?[^#]+/, `?${HIDDEN}`);
}

/**
 * Arguments of a program: what stands behind a flag with a secret's name, what looks like a secret,
 * and secrets in addresses.
 */
function hideInArguments(value: unknown, path: Path, note: Note): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((argument: unknown, index) => {
    const secretArgument = findSecretArgument(value, index);
    if (secretArgument !== null) {
      note(secretArgument.secret, [...path, index]);
      return `${secretArgument.before}${HIDDEN}`;
    }
    const [, flag = '', joined = argument] =
      typeof argument === 'string' ? (/^(-{0,2}[\w.-]+=)(.+:\/\/.*)$/s.exec(argument) ?? []) : [];
    return flag === ''
      ? hideInAddress(argument, [...path, index], note)
      : `${flag}${String(hideInAddress(joined, [...path, index], note))}`;
  });
}

/** Of an address in a setting that is not a secret by itself, its password alone is hidden. */
function hidePassword(value: string, path: Path, note: Note): string {
  return value.replace(
    /^([a-z][a-z0-9+.-]*:\/\/[^/\s?#:]*:)([^/\s?#]+)@/i,
    (_, before: string, password: string) => {
      for (const secret of findAddressPasswords(value)) note(secret, path);
      return `${before}${password === '' ? '' : HIDDEN}@`;
    },
  );
}

/**
 * The value as it may be shown: secrets are {@link HIDDEN}. A null or undefined schema hides all
 * texts. `path`: the keys that lead to the value. `note` gets what was hidden, as far as it is
 * surely a secret.
 */
export function hideSecrets(
  value: unknown,
  schema: Type.TSchema | null | undefined,
  path: Path = [],
  note: Note = () => {},
): unknown {
  const kind: unknown =
    schema === null || schema === undefined ? true : 'secret' in schema ? schema.secret : undefined;
  if (kind === true || kind === 'handed') return hideTexts(value, path, note, kind === 'handed');
  if (kind === 'whole') return hideWhole(value, path, note);
  if (kind === 'url') return hideInAddress(value, path, note);
  if (kind === 'arguments') return hideInArguments(value, path, note);
  if (typeof value === 'string' && isUrlLike(value)) return hidePassword(value, path, note);
  if (schema === null || schema === undefined) return value;
  if (Array.isArray(value))
    return value.map((item, at) => hideSecrets(item, findItemSchema(schema), [...path, at], note));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      hideSecrets(inner, findEntrySchema(schema, key), [...path, key], note),
    ]),
  );
}

/** What must be taken out of logs, journal and output: the secrets of the value. */
export function collectSecrets(value: unknown, schema: Type.TSchema | null | undefined): string[] {
  const secretKeys = new Set<string>();
  hideSecrets(value, schema, [], (secret) => secretKeys.add(secret));
  return [...secretKeys];
}

/** Keys, with points between them, of the secrets that are too short to be taken out of texts. */
export function listShortSecretKeys(
  value: unknown,
  schema: Type.TSchema | null | undefined,
): string[] {
  const secretValues = new Set<string>();
  hideSecrets(value, schema, [], (secret, path) => {
    if (!isScreened(secret)) secretValues.add(path.join('.'));
  });
  return [...secretValues];
}

export const containsHidden = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(HIDDEN)
    : typeof value === 'object' && value !== null && Object.values(value).some(containsHidden);
