import { createSignal } from 'solid-js';
import { remember, readRemembered } from '../../../shell/remember.ts';

/** Pull requests whose marks are kept; the one that was marked longest ago is forgotten first. */
const MOST_PULL_REQUESTS = 50;

type ViewedMarks = Record<string, string[]>;

/** What this browser keeps, by pull request; anything else counts as nothing. */
function readMarks(): ViewedMarks {
  try {
    const value: unknown = JSON.parse(readRemembered('viewed') ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).map(([prId, hashes]) => [
        prId,
        Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : [],
      ]),
    );
  } catch {
    return {};
  }
}

export interface ViewedFiles {
  has: (hash: string) => boolean;
  set: (hash: string, viewed: boolean) => void;
}

/** Files that the person has seen, kept in this browser by hash: a new change makes one unseen. */
export function createViewedFiles(prId: string): ViewedFiles {
  const [viewedKeys, setViewedKeys] = createSignal<ReadonlySet<string>>(
    new Set(readMarks()[prId] ?? []),
  );
  return {
    has: (hash) => viewedKeys().has(hash),
    set(hash, viewed) {
      const next = new Set(viewedKeys());
      if (viewed) next.add(hash);
      else next.delete(hash);
      setViewedKeys(next);
      const { [prId]: _, ...others } = readMarks();
      const keptEntries = Object.entries(others).slice(-(MOST_PULL_REQUESTS - 1));
      remember('viewed', JSON.stringify({ ...Object.fromEntries(keptEntries), [prId]: [...next] }));
    },
  };
}
