/** An alias of a model that is used in place of another one whose pool is exhausted. */
export interface Fallback {
  from: string;
  to: string;
  /** Id of the pool that is exhausted. */
  pool: string;
}
