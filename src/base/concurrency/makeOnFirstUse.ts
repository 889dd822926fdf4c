/** What is made when it is first asked for, and then kept: a start does not wait for it. */
export function makeOnFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
