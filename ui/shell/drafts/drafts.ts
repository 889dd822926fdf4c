import { createSignal, onCleanup, onMount, type Accessor, type Setter } from 'solid-js';
import { toDraftName, keepText, readStoredText, type DraftKey } from './keepText.ts';

/** Makes the browser ask before the page closes, while `isNeeded` and the component is mounted. */
export function holdPage(isNeeded: () => boolean): void {
  const hold = (event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault();
  };
  onMount(() => window.addEventListener('beforeunload', hold));
  onCleanup(() => window.removeEventListener('beforeunload', hold));
}

export interface Draft {
  text: Accessor<string>;
  write: (text: string) => void;
  /** To be called when the text was sent, or is thrown away: it is forgotten. */
  forget: () => void;
}

/** Fields with the same name show the same text, wherever they are. */
interface SharedDraft {
  text: Accessor<string>;
  setText: Setter<string>;
  stored: boolean;
  users: number;
}

const open = new Map<string, SharedDraft>();

function shareDraft(name: string): SharedDraft {
  const sharedDraft = open.get(name);
  if (sharedDraft) return sharedDraft;
  const [text, setText] = createSignal(readStoredText(() => sessionStorage, name));
  const draft = { text, setText, stored: true, users: 0 };
  open.set(name, draft);
  return draft;
}

/**
 * The draft of a field of a job, for the component that calls this. It survives everything but the
 * end of the tab: another page, a reload, a restart of the runner. A text that cannot be stored (see
 * keepText) survives while the page is open; the browser then asks before it closes the page.
 */
export function createDraft(of: DraftKey): Draft {
  const name = toDraftName(of);
  const draft = shareDraft(name);
  draft.users += 1;
  onCleanup(() => {
    draft.users -= 1;
    if (draft.users === 0 && draft.text() === '') open.delete(name);
  });
  holdPage(() => !draft.stored);
  const write = (text: string) => {
    draft.setText(text);
    draft.stored = keepText(() => sessionStorage, name, text);
  };
  return { text: draft.text, write, forget: () => write('') };
}
