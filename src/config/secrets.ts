import type Type from 'typebox';
import { SECRET_NAME, secretParts } from '../lib/secretName.ts';
import { entryOf, itemOf } from './schemaAt.ts';

/** Stands where a secret is. Written back, it means: leave the secret as it is. */
export const HIDDEN = '********';

/** Values under such names that are settings all the same: single words, and places of files. Taken out of texts, they would garble them. */
const NO_SECRET = /^(?:[A-Za-z]{1,15}|(?:~|\.{1,2})?\/.*)$/s;

/** Gets each secret that is hidden, so that it can be taken out of other texts. */
type Note = (secret: string) => void;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Hides every text; numbers and switches stay. `name` decides only what is noted: a user's name is not a secret in a log. */
function hidden(value: unknown, name: string, note: Note): unknown {
  if (Array.isArray(value)) return value.map((item) => hidden(item, name, note));
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hidden(inner, key, note)]));
  if (typeof value !== 'string' || value === '') return value;
  if (SECRET_NAME.test(name) && !NO_SECRET.test(value)) {
    for (const secret of secretParts(value)) note(secret);
  }
  return HIDDEN;
}

/** An address without name, password and query. The name alone of an ssh address is no secret. */
function hiddenInAddress(value: unknown, note: Note): unknown {
  if (typeof value !== 'string') return value;
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/\s?#]*)@/i, (all, scheme: string, user: string) => {
      if (/^ssh:/i.test(scheme) && !user.includes(':')) return all;
      note(user.slice(user.indexOf(':') + 1));
      return `${scheme}${HIDDEN}@`;
    })
    .replace(/\?[^#]+/, (query) => {
      for (const [, secret] of new URLSearchParams(query)) note(secret);
      return `?${HIDDEN}`;
    });
}

/** Arguments of a program: what stands behind a flag with a secret's name, and secrets in addresses. */
function hiddenInArguments(value: unknown, note: Note): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((argument: unknown, index) => {
    if (typeof argument !== 'string') return argument;
    const [, flag, joined] = /^(-{0,2}[\w-]+)=(.+)$/s.exec(argument) ?? [];
    if (flag !== undefined && joined !== undefined && SECRET_NAME.test(flag)) {
      note(joined);
      return `${flag}=${HIDDEN}`;
    }
    const before: unknown = value[index - 1];
    if (typeof before === 'string' && /^-{1,2}[\w-]+$/.test(before) && SECRET_NAME.test(before) && !argument.startsWith('-')) {
      note(argument);
      return HIDDEN;
    }
    return hiddenInAddress(argument, note);
  });
}

/**
 * The value as it may be shown: secrets are {@link HIDDEN}. A null or undefined schema hides all texts. `name` is the key that holds
 * the value. `note` gets what was hidden, as far as it is surely a secret.
 */
export function shown(value: unknown, schema: Type.TSchema | null | undefined, name = '', note: Note = () => {}): unknown {
  const kind: unknown = schema === null || schema === undefined ? true : 'secret' in schema ? schema.secret : undefined;
  if (kind === true) return hidden(value, name, note);
  if (kind === 'url') return hiddenInAddress(value, note);
  if (kind === 'arguments') return hiddenInArguments(value, note);
  if (schema === null || schema === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => shown(item, itemOf(schema), name, note));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner, entryOf(schema, key), key, note)]));
}

/** What must be taken out of logs, journal and output: the secrets of the value. */
export function secretsIn(value: unknown, schema: Type.TSchema | null | undefined): string[] {
  const found = new Set<string>();
  shown(value, schema, '', (secret) => found.add(secret));
  return [...found];
}

/** Whether a value that somebody sent has {@link HIDDEN} anywhere. */
export const hasHidden = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(HIDDEN)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasHidden);
