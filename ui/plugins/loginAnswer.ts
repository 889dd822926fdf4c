export interface LoginAnswer {
  code?: string;
  error?: string;
  errorDescription?: string;
  /** null = the text has none: that of the login that is in progress. */
  state: string | null;
}

/** The query that a vendor sends the browser back with; null = not such a query. */
export function parseLoginQuery(
  query: Readonly<Record<string, string | undefined>>,
): LoginAnswer | null {
  const { code, error, error_description: errorDescription, state } = query;
  if (state === undefined || (code === undefined && error === undefined)) return null;
  return {
    state,
    ...(code === undefined ? {} : { code }),
    ...(error === undefined ? {} : { error }),
    ...(errorDescription === undefined ? {} : { errorDescription }),
  };
}

/** The pasted code, or that of a pasted vendor address. null = nothing that can be sent. */
export function parsePastedLogin(text: string): LoginAnswer | null {
  const trimmed = text.trim();
  if (/^https?:\/\//.test(trimmed)) {
    if (!URL.canParse(trimmed)) return null;
    return parseLoginQuery(Object.fromEntries(new URL(trimmed).searchParams));
  }
  return trimmed === '' || /\s/.test(trimmed) ? null : { code: trimmed, state: null };
}
