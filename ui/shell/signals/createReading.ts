import { type Accessor, batch, createComputed, createSignal, onCleanup, untrack } from 'solid-js';

/**
 * What was read from the runner. While it is read again, and after that failed, `latest` is what was
 * read before; undefined until the first answer.
 */
export interface Reading<Value> {
  (): Value;
  readonly latest: Value;
  /** Why the last reading failed; undefined = it did not. */
  readonly error: unknown;
  readonly loading: boolean;
  /** `latest` answers an earlier question: that of now is being read, or could not be. */
  readonly isOld: boolean;
}

interface ReadingActions<Value> {
  /** Reads again. Never rejects. */
  refetch: () => Promise<void>;
  mutate: (value: Value | ((before: Value) => Value)) => void;
}

type Source<Asked> = Accessor<Asked | undefined | null | false>;
type Result<Value> = [Reading<Value>, ReadingActions<Value>];
interface Initial<Value> {
  initialValue: Value;
}

/**
 * Reads something, once, or whenever `source` changes to a value that is not empty; an answer to an
 * earlier question is dropped. As createResource of Solid, but what shows it is never suspended:
 * while one part of a page loads, nothing else of the page goes, however deep the part is.
 */
export function createReading<Value>(
  read: () => Promise<Value>,
  options: Initial<Value>,
): Result<Value>;
export function createReading<Value>(read: () => Promise<Value>): Result<Value | undefined>;
export function createReading<Value, Asked>(
  source: Source<Asked>,
  read: (subject: Asked) => Promise<Value>,
): Result<Value | undefined>;
export function createReading<Value, Asked>(
  first: Source<Asked> | (() => Promise<Value>),
  second?: ((subject: Asked) => Promise<Value>) | Initial<Value>,
): Result<Value | undefined> {
  const [latest, setLatest] = createSignal<Value | undefined>(
    typeof second === 'object' ? second.initialValue : undefined,
  );
  const [error, setError] = createSignal<unknown>(undefined);
  const [isLoading, setIsLoading] = createSignal(false);
  const [isOld, setIsOld] = createSignal(false);
  /** Rises with every question; -1 once no one asks any more. */
  let round = 0;
  onCleanup(() => {
    round = -1;
  });

  async function answer(readNow: () => Promise<Value>): Promise<void> {
    if (round === -1) return;
    round += 1;
    const mine = round;
    setIsLoading(true);
    const take = (change: () => void) => {
      if (mine !== round) return;
      batch(() => {
        setIsLoading(false);
        change();
      });
    };
    try {
      const value = await readNow();
      take(() => {
        setError(undefined);
        setIsOld(false);
        setLatest(() => value);
      });
    } catch (thrown) {
      take(() => setError(() => thrown ?? new Error('The request failed.')));
    }
  }

  let again: () => Promise<void>;
  if (typeof second === 'function') {
    const source = first as Source<Asked>;
    const ask = async (subject: Asked | undefined | null | false) => {
      if (subject !== undefined && subject !== null && subject !== false)
        await answer(() => untrack(() => second(subject)));
    };
    createComputed(() => {
      const subject = source();
      setIsOld(untrack(latest) !== undefined);
      void ask(subject);
    });
    again = () => ask(untrack(source));
  } else {
    const read = first as () => Promise<Value>;
    again = () => answer(() => untrack(read));
    void again();
  }

  const reading = Object.defineProperties((() => latest()) as Reading<Value | undefined>, {
    latest: { get: latest },
    error: { get: error },
    loading: { get: isLoading },
    isOld: { get: isOld },
  });
  return [
    reading,
    {
      refetch: again,
      mutate: (value) => {
        setLatest((before) =>
          typeof value === 'function'
            ? (value as (latestValue: Value | undefined) => Value)(before)
            : value,
        );
      },
    },
  ];
}
