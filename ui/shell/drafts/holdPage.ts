import { onCleanup, onMount } from 'solid-js';

/** Makes the browser ask before the page closes, while `isNeeded` and the component is mounted. */
export function holdPage(isNeeded: () => boolean): void {
  const hold = (event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault();
  };
  onMount(() => window.addEventListener('beforeunload', hold));
  onCleanup(() => window.removeEventListener('beforeunload', hold));
}
