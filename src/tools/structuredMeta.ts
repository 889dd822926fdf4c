/**
 * Member of `_meta` of a `tools/call` request; true asks for `structuredContent` beside the text.
 * For programs only: some agents show their model the structured form in place of the text, and the
 * fence around text by others is only in the text.
 */
export const STRUCTURED_META = 'svc/structured';
