import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js';

/** Whether something has been true for `ms` without a break. */
export function createLasting(is: Accessor<boolean>, ms: number): Accessor<boolean> {
  const [lasts, setLasts] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  createEffect(
    on(is, (now) => {
      stop();
      if (now) timer = setTimeout(() => setLasts(true), ms);
      else setLasts(false);
    }),
  );
  onCleanup(stop);
  return lasts;
}
