/** Key in `meta` of the owner's generation. */
export const OWNER_KEY = 'generation';
export const OWNER = `SELECT value FROM meta WHERE key = '${OWNER_KEY}'`;

/** Throws Error if the store has a newer owner than the writer. `row`: the result of `OWNER`. */
export function refuseNewerOwner(
  row: Record<string, unknown> | undefined,
  generation: number,
): void {
  const owner = Number(row?.value ?? 0);
  if (owner === generation) return;
  throw new Error(
    `The state has a newer owner (generation ${owner}, not ${generation}); nothing was written`,
  );
}
