import { remember, readRemembered } from '../shell/remember.ts';

export interface FileDraft {
  text: string;
  /** Version of the file that it was made of; null = there was none. */
  etag: string | null;
}

const toFileDraftName = (path: string): string => `draft.${path}`;

/** The draft that this browser keeps for a file; null = it keeps none. */
export function readFileDraft(path: string): FileDraft | null {
  try {
    const value: unknown = JSON.parse(readRemembered(toFileDraftName(path)) ?? 'null');
    if (
      typeof value !== 'object' ||
      value === null ||
      !('text' in value) ||
      typeof value.text !== 'string'
    )
      return null;
    return {
      text: value.text,
      etag: 'etag' in value && typeof value.etag === 'string' ? value.etag : null,
    };
  } catch {
    return null;
  }
}

/** Keeps the draft, also when the page is closed; null forgets it. */
export const keepFileDraft = (path: string, draft: FileDraft | null): void =>
  remember(toFileDraftName(path), draft && JSON.stringify(draft));
