/** Most bytes of one draft, as UTF-16; the longest message fits twice. */
export const MAX_DRAFT_BYTES = 128 * 1024;
/** Most bytes of all drafts of a tab; browsers allow a page about five million. */
export const MAX_DRAFTS_BYTES = 2 * 1024 * 1024;

const PREFIX = 'svc.draft.';

export interface DraftKey {
  /** Id of a job; before the job exists, something else as stable. */
  job: string;
  /** Name of the field; it may hold what the text is about, such as a file and a line. */
  field: string;
}

export const toDraftName = ({ job, field }: DraftKey): string =>
  `${PREFIX}${encodeURIComponent(job)}/${field}`;

const countStoredBytes = (text: string): number => text.length * 2;

/** The stored text; empty where nothing is stored, or the browser stores nothing. */
export function readStoredText(storage: () => Storage, name: string): string {
  try {
    return storage().getItem(name) ?? '';
  } catch {
    return '';
  }
}

/**
 * Stores a text, or removes it when it is empty. False where it is not stored: it is longer than
 * MAX_DRAFT_BYTES, all drafts together would be longer than MAX_DRAFTS_BYTES, or the browser
 * refuses. An earlier version is then removed, since it would come back as if it were the newest.
 */
export function keepText(storage: () => Storage, name: string, text: string): boolean {
  try {
    const localStore = storage();
    const others = Object.keys(localStore)
      .filter((key) => key.startsWith(PREFIX) && key !== name)
      .reduce((bytes, key) => bytes + countStoredBytes(localStore.getItem(key) ?? ''), 0);
    const bytes = countStoredBytes(text);
    const fits = bytes <= MAX_DRAFT_BYTES && others + bytes <= MAX_DRAFTS_BYTES;
    if (text === '' || !fits) localStore.removeItem(name);
    else localStore.setItem(name, text);
    return fits;
  } catch {
    return text === '';
  }
}
