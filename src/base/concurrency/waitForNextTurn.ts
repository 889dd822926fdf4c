/** Lets other pending work of the runner go first; resolves after that. */
export const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
