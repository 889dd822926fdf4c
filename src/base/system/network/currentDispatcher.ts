import type { Dispatcher } from 'undici';

/** One per process. In a file of its own: what only sends requests must not bring undici into its build. */
let current: Dispatcher | null = null;

/** What carries the requests of this process; null = Node's own connections. */
export const readCurrentDispatcher = (): Dispatcher | null => current;

export const setCurrentDispatcher = (dispatcher: Dispatcher | null): void => {
  current = dispatcher;
};
