/** An alias of a model that is used in place of another one whose account is exhausted. */
export interface Fallback {
  from: string;
  to: string;
  /** Id of the account that is exhausted. */
  pool: string;
}
