/** Restate's SDK calls it, and Node 20 does not have it yet. */
const known = Promise as PromiseConstructor & { withResolvers?: () => unknown };

known.withResolvers ??= () => {
  let resolve: unknown;
  let reject: unknown;
  const promise = new Promise((onDone, onFail) => {
    resolve = onDone;
    reject = onFail;
  });
  return { promise, resolve, reject };
};
