/** Where a login at the company's issuer begins. `next`: where it leads to; `again`: it asks for the account again. */
export const toSignOnPath = (next: string, again = false): string =>
  `/auth/sign-on?next=${encodeURIComponent(next)}${again ? '&again=1' : ''}`;
