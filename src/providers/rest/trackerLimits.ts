import { clip } from '../../base/text/clip.ts';

const MAX_BODY_CHARS = 32_000;
export const MAX_COMMENTS = 200;
export const MAX_FOUND = 50;

export const cutIssueText = (text: string): string =>
  clip(text, MAX_BODY_CHARS, (remaining) => `\n… (${remaining} more characters are left out)`);
