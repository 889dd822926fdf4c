import type { ReviewComment } from '../../contract/forge/review.ts';

export function appendSuggestion(
  { body, suggestion }: Pick<ReviewComment, 'body' | 'suggestion'>,
  word = 'suggestion',
): string {
  if (suggestion === null) return body;
  const longest = Math.max(0, ...(suggestion.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  const block = `${fence}${word}\n${suggestion}${suggestion.endsWith('\n') || suggestion === '' ? '' : '\n'}${fence}`;
  return body.trim() === '' ? block : `${body}\n\n${block}`;
}
