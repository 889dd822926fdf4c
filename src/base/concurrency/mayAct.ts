/**
 * Asked right before each write to the world: a request that changes something at a forge or a tracker, a push of git, a
 * call of a plugin that writes. Undefined = it may go out now; a promise resolves when it may, and rejects where it must
 * not go out: nothing was sent then. `signal` ends the waiting.
 */
export type MayAct = (signal?: AbortSignal) => Promise<void> | undefined;

/** Where no other runner could continue the jobs of this one, nothing has to be asked. */
export const mayAlwaysAct: MayAct = () => undefined;
