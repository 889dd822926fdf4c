/** The last name of a path with slashes: `src/main.ts` → `main.ts`. Empty where it ends with a slash. */
export const stripFolderPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
