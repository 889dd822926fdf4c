/** The paths of the folders above a path with slashes, the highest first: `a/b/c` → `a`, `a/b`. */
export const listFoldersAbove = (path: string): string[] => {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
};
