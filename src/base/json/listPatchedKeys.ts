import { isJsonObject } from './isJsonObject.ts';

/** Keys of everything that a patch sets or removes, joined by dots; never a value. */
export function listPatchedKeys(patch: object, path = ''): string[] {
  return Object.entries(patch).flatMap(([key, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? listPatchedKeys(value, `${path}${key}.`)
      : [`${path}${key}`],
  );
}
