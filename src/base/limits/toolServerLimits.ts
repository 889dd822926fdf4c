/** Default for how long a tool server may take to start and to list its tools, ms. */
export const DEFAULT_START_MS = 30_000;
export const SHORTEST_START_MS = 1_000;
export const LONGEST_START_MS = 600_000;
