/** Lets the runner do what has come meanwhile; resolves after that. */
export const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
