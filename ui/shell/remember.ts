/** What this browser keeps under `svc.<name>`; null = nothing, or storage is refused. */
export function readRemembered(name: string): string | null {
  try {
    return localStorage.getItem(`svc.${name}`);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. Without storage it lasts as long as the page. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`svc.${name}`);
    else localStorage.setItem(`svc.${name}`, value);
  } catch {
    // Private windows may refuse; the page works without.
  }
}
