/** Lets the runner do what has come meanwhile; resolves after that. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
