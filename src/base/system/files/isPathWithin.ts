import { sep } from 'node:path';

/** Whether a path is the folder or lies in it. Both absolute and in their shortest form. */
export const isPathWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
