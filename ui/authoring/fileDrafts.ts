import { remember, readRemembered } from '../shell/remember.ts';

export interface FileDraft {
  text: string;
  /** Version of the file that it was made of; null = there was none. */
  etag: string | null;
}

/** `team`: slug of the team whose file it is; null = the runner's. Teams of one control plane share a browser's storage. */
const toFileDraftName = (team: string | null, path: string): string =>
  team === null ? `draft.${path}` : `draft.${team}:${path}`;

/** The draft that this browser keeps for a file; null = it keeps none. */
export function readFileDraft(team: string | null, path: string): FileDraft | null {
  try {
    const value: unknown = JSON.parse(readRemembered(toFileDraftName(team, path)) ?? 'null');
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
export const keepFileDraft = (team: string | null, path: string, draft: FileDraft | null): void =>
  remember(toFileDraftName(team, path), draft && JSON.stringify(draft));
