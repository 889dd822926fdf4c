/** What is made when it is first asked for, and then kept: a start does not wait for it. */
export function makeOnFirstUse<T>(make: () => T): () => T {
  let memo: { value: T } | null = null;
  return () => {
    memo ??= { value: make() };
    return memo.value;
  };
}
