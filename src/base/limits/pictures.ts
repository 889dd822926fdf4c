export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Media types of pictures that browsers show, by the end of the file's name. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** Media type of a picture by its path; null = not shown as a picture. */
export const findPictureType = (path: string): string | null =>
  TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null;
