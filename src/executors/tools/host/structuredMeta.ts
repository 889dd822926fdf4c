/**
 * Member of `_meta` of a `tools/call` request; true asks for `structuredContent` beside the text.
 * Only for programs: some agents show their model the structured form instead of the text, and only
 * the text has the fence around foreign text.
 */
export const STRUCTURED_META = 'svc/structured';

/**
 * Member of `_meta` of a listed tool, with {@link STRUCTURED_META}: its other name, such as
 * `scm_create_pr`. Hidden from models, which would take it for another tool.
 */
export const ALIAS_META = 'svc/alias';
