import { onCleanup, onMount } from 'solid-js';

/**
 * Has the browser ask before the page is closed or loaded anew, for as long as `isNeeded` and the
 * component is there.
 */
export function holdPage(isNeeded: () => boolean): void {
  const hold = (event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault();
  };
  onMount(() => window.addEventListener('beforeunload', hold));
  onCleanup(() => window.removeEventListener('beforeunload', hold));
}
