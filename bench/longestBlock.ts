/** The longest time in which the process did nothing else while `run` was under way, ms. */
export async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let over = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await run();
  over = true;
  look();
  return longest;
}
