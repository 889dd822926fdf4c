/**
 * Member of `_meta` of a `tools/call` request; true asks for `structuredContent` beside the text.
 * For programs only: some agents show their model the structured form in place of the text, and the
 * fence around text by others is only in the text.
 */
export const STRUCTURED_META = 'svc/structured';

/**
 * Member of `_meta` of a tool in a list that was asked for with {@link STRUCTURED_META}: its other
 * name, such as `scm_create_pr`. Not shown to models, which would take it for another tool.
 */
export const ALIAS_META = 'svc/alias';
