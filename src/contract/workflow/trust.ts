import type { TrustBody, TrustView } from '../schema/workflow/trust.ts';

/** Which repositories may make something run, as people have recorded it. */
export interface Trust {
  list(): Promise<TrustView[]>;
  /**
   * Throws `not-found`, `conflict` where the repository is not as it was shown, `not-possible-now`,
   * `invalid`, `store-failed`.
   */
  add(body: TrustBody): Promise<TrustView>;
  /** Throws `not-found` where it was not trusted. */
  remove(repo: string): Promise<void>;
}
