/** The paths of the folders above a path with slashes, the highest first: `a/b/c` → `a`, `a/b`. */

/** The last name of a path with slashes: `src/main.ts` → `main.ts`. Empty where it ends with a slash. */
export const stripFolderPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The paths of the folders above a path with slashes, the highest first: `a/b/c` → `a`, `a/b`. */
export const listFoldersAbove = (path: string): string[] => {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
};
