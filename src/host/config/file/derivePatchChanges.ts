import { isJsonObject } from '../../../base/json/isJsonObject.ts';
import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../../../base/errors/errors.ts';
import { HIDDEN, containsHidden } from '../secrets.ts';

/** One place of the file to change; without a value it is taken out. */
export interface Change {
  path: readonly string[];
  value?: unknown;
}

const readOwnMember = (map: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** A new value without the members that are null: there is nothing yet that they could take out. */
const removeNullMembers = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== null)
          .map(([key, inner]) => [key, removeNullMembers(inner)]),
      )
    : value;

export const toJsonPointer = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * What a merge patch (RFC 7396: null takes out, what is left out stays) changes. `view` is what is
 * shown of the config: a value that is equal to it changes nothing. So a secret that comes back as
 * {@link HIDDEN} is kept, and what was read and is sent back whole leaves the file as it is.
 */
export function derivePatchChanges(
  patch: Record<string, unknown>,
  view: Record<string, unknown>,
): { changes: Change[]; errors: FieldError[] } {
  const changes: Change[] = [];
  const errors: FieldError[] = [];
  const compare = (
    patchPart: Record<string, unknown>,
    now: Record<string, unknown>,
    above: string[],
  ) => {
    for (const [key, value] of Object.entries(patchPart)) {
      const path = [...above, key];
      const present = readOwnMember(now, key);
      if (value === null) {
        if (present !== undefined) changes.push({ path });
      } else if (isJsonObject(value) && isJsonObject(present)) compare(value, present, path);
      else if (isDeepStrictEqual(value, present)) continue;
      else if (containsHidden(value)) {
        const message = `is ${HIDDEN}, but no secret is stored there to keep; send the secret itself`;
        errors.push({ pointer: toJsonPointer(path), message });
      } else changes.push({ path, value: removeNullMembers(value) });
    }
  };
  compare(patch, view, []);
  return { changes, errors };
}
