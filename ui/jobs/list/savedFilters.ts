import { createSignal } from 'solid-js';
import { remember, readRemembered } from '../../shell/remember.ts';

/** A filter of the list of jobs with the name that a person gave it; `query` as in the address. */
export interface SavedFilter {
  name: string;
  query: Record<string, string>;
  /** Shown as a board; default: as a list. */
  board?: boolean;
}

const KEPT_AS = 'filters';
export const MAX_FILTERS = 20;

const isFilter = (value: unknown): value is SavedFilter =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'query' in value &&
  typeof value.query === 'object' &&
  value.query !== null &&
  Object.values(value.query).every((item) => typeof item === 'string') &&
  (!('board' in value) || typeof value.board === 'boolean');

/** The filters that were kept; anything else in the text is dropped. */
export function parseSavedFilters(text: string | null): SavedFilter[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isFilter) : [];
  } catch {
    return [];
  }
}

/** Adds a filter: it replaces one of its name, and the oldest goes beyond the limit. */
export const addSavedFilter = (
  list: readonly SavedFilter[],
  savedFilter: SavedFilter,
): SavedFilter[] =>
  [...list.filter(({ name }) => name !== savedFilter.name), savedFilter].slice(-MAX_FILTERS);

function createSavedFilters() {
  const [list, setList] = createSignal(parseSavedFilters(readRemembered(KEPT_AS)));
  const keep = (filters: SavedFilter[]) => {
    setList(filters);
    remember(KEPT_AS, JSON.stringify(filters));
  };
  return {
    list,
    save: (filter: SavedFilter) => keep(addSavedFilter(list(), filter)),
    remove: (name: string) => keep(list().filter((filter) => filter.name !== name)),
  };
}

export const jobFilters = createSavedFilters();
