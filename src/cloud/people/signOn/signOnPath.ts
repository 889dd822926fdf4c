/** Where the browser comes back from the issuer. */
const CALLBACK_PATH = '/auth/callback';

/** What the issuer has to be given: where people come back. */
export const toRedirectUri = (publicUrl: string): string => `${publicUrl}${CALLBACK_PATH}`;

/** Where a login at the company's issuer begins. `next`: where it leads to; `again`: it asks for the account again. */
export const toSignOnPath = (next: string, again = false): string =>
  `/auth/sign-on?next=${encodeURIComponent(next)}${again ? '&again=1' : ''}`;
