import { createSignal, onCleanup } from 'solid-js';

interface Readable<Context> {
  getSnapshot(): { context: Context };
  subscribe(observer: (snapshot: { context: Context }) => void): { unsubscribe(): void };
}

/** A part of a store as a signal; an equal (===) value notifies no one. */
export function useStore<Context, Part>(
  store: Readable<Context>,
  select: (context: Context) => Part,
): () => Part {
  const [part, setPart] = createSignal(select(store.getSnapshot().context));
  const subscription = store.subscribe(({ context }) => setPart(() => select(context)));
  onCleanup(() => subscription.unsubscribe());
  return part;
}
