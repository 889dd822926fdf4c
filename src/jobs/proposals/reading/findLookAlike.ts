/** Letters and digits that are taken for each other at a glance, to the one that stands for all. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u0430\u0251]/gu, 'a'],
  [/[\u0435\u0451]/gu, 'e'],
  [/[\u043e\u03bf0]/gu, 'o'],
  [/[\u0440\u03c1]/gu, 'p'],
  [/[\u0441\u03f2]/gu, 'c'],
  [/[\u0445\u03c7]/gu, 'x'],
  [/[\u0443]/gu, 'y'],
  [/[\u0456\u0131\u03b91l|]/gu, 'i'],
  [/rn/gu, 'm'],
  [/vv/gu, 'w'],
  [/[\s._-]+/gu, '-'],
];

const toSeenForm = (name: string): string =>
  ALIKE.reduce(
    (seen, [like, letter]) => seen.replace(like, letter),
    name.normalize('NFKC').toLowerCase(),
  );

/** The path among `paths` that looks like this other one; undefined = none does. */
export const findLookAlike = (path: string, paths: readonly string[]): string | undefined =>
  paths.find((one) => one !== path && toSeenForm(one) === toSeenForm(path));
