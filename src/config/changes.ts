import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../lib/errors.ts';
import { HIDDEN, hasHidden } from './secrets.ts';

/** One place of the file to change; without a value it is taken out. */
export interface Change {
  path: readonly string[];
  value?: unknown;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (map: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** A new value without the members that are null: there is nothing yet that they could take out. */
const withoutNulls = (value: unknown): unknown =>
  isMap(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== null)
          .map(([key, inner]) => [key, withoutNulls(inner)]),
      )
    : value;

export const jsonPointer = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * What a merge patch (RFC 7396: null takes out, what is left out stays) changes. `view` is what is
 * shown of the config: a value that is equal to it changes nothing. So a secret that comes back as
 * {@link HIDDEN} is kept, and what was read and is sent back whole leaves the file as it is.
 */
export function changesOf(
  patch: Record<string, unknown>,
  view: Record<string, unknown>,
): { changes: Change[]; errors: FieldError[] } {
  const changes: Change[] = [];
  const errors: FieldError[] = [];
  const compare = (
    sent: Record<string, unknown>,
    now: Record<string, unknown>,
    above: string[],
  ) => {
    for (const [key, value] of Object.entries(sent)) {
      const path = [...above, key];
      const present = own(now, key);
      if (value === null) {
        if (present !== undefined) changes.push({ path });
      } else if (isMap(value) && isMap(present)) compare(value, present, path);
      else if (isDeepStrictEqual(value, present)) continue;
      else if (hasHidden(value)) {
        const message = `is ${HIDDEN}, but no secret is stored there to keep; send the secret itself`;
        errors.push({ pointer: jsonPointer(path), message });
      } else changes.push({ path, value: withoutNulls(value) });
    }
  };
  compare(patch, view, []);
  return { changes, errors };
}
