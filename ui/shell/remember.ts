/**
 * What this browser remembers under `svc.<name>`; null where it remembers nothing, or is not
 * allowed to.
 */
export function readRemembered(name: string): string | null {
  try {
    return localStorage.getItem(`svc.${name}`);
  } catch {
    return null;
  }
}

/**
 * Remembers a text, or forgets it for null. A browser that keeps nothing for this page loses it
 * with the page.
 */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`svc.${name}`);
    else localStorage.setItem(`svc.${name}`, value);
  } catch {
    // Private windows may refuse; the page works without.
  }
}
