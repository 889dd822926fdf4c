import type { ChatRequest } from '../../contract/planning/chat.ts';

const WHO = { user: 'developer', assistant: 'you' } as const;

/** A tag name that none of the texts contains, so that no text can end its own part. */
function pickUnusedTag(texts: readonly string[]): string {
  for (let n = 0; ; n += 1) {
    const tag = n === 0 ? 'said' : `said-${n}`;
    const isUsed = texts.some((text) =>
      [`<${tag}`, `</${tag}`].some((part) => text.includes(part)),
    );
    if (!isUsed) return tag;
  }
}

/**
 * A chat as one message, for programs that take no earlier turns: each earlier text in a part of
 * its own, then the developer's new message. The same request gives the same text.
 */
export function buildChatPrompt({
  history,
  message,
}: Pick<ChatRequest, 'history' | 'message'>): string {
  if (history.length === 0) return message;
  const tag = pickUnusedTag(history.map(({ text }) => text));
  const parts = history.map(({ role, text }) => `<${tag} by="${WHO[role]}">\n${text}\n</${tag}>`);
  return [
    'The conversation so far:',
    ...parts,
    'What the developer says now, which is what you answer:',
    message,
  ].join('\n\n');
}
