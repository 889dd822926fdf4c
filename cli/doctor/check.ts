/** What one look found. Texts are lines without secrets. */
export interface Finding {
  /** `skipped`: it could not be looked at; `detail` says why. */
  status: 'ok' | 'warning' | 'error' | 'skipped';
  detail: string;
  /** How to fix it; null if there is nothing to fix. */
  fix: string | null;
}

/** A finding with its place in the list; ids are stable, scripts rely on them. */
export interface Check extends Finding {
  id: string;
  title: string;
}

export const toOkFinding = (detail: string): Finding => ({ status: 'ok', detail, fix: null });
export const toSkippedFinding = (detail: string): Finding => ({
  status: 'skipped',
  detail,
  fix: null,
});
export const toWarningFinding = (detail: string, fix: string): Finding => ({
  status: 'warning',
  detail,
  fix,
});
export const toErrorFinding = (detail: string, fix: string): Finding => ({
  status: 'error',
  detail,
  fix,
});

/** Longest wait for an answer over the network, ms. */
export const ANSWER_MS = 3_000;
