/** A model alias that replaces another one whose account is exhausted. */
export interface Fallback {
  from: string;
  to: string;
  pool: string;
}
