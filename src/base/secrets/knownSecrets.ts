import { isScreened, screenSecrets } from './screenSecrets.ts';
import { listSecretForms } from './secretForms.ts';
import { SecretStream, type SecretTable, createSecretTable } from './secretStream.ts';

/**
 * The secrets that the process knows, to be taken out of everything that it stores, says or sends.
 * More may come while it runs.
 */
export class KnownSecrets {
  readonly #known = new Set<string>();
  /** Those of svc, without those of files that agents may have. */
  readonly #own = new Set<string>();
  readonly #sources: (() => readonly string[])[] = [];
  #screen = screenSecrets([]);
  #table: SecretTable | null = null;

  constructor(secrets: readonly string[] = []) {
    this.add(secrets);
  }

  /** Those below `LEAST_SECRET_CHARS` are left out. */
  add(secrets: readonly string[]): void {
    for (const secret of secrets) if (isScreened(secret)) this.#own.add(secret);
    this.addFromFiles(secrets);
  }

  /** Values of files that a person lets agents read: screened too, but no secrets of svc. */
  addFromFiles(secrets: readonly string[]): void {
    const before = this.#known.size;
    for (const secret of secrets) {
      if (!isScreened(secret)) continue;
      for (const form of listSecretForms(secret)) this.#known.add(form);
    }
    // Longest first: replacing a part of another secret would leave the rest of it.
    if (this.#known.size === before) return;
    this.#table = null;
    this.#screen = screenSecrets([...this.#known].sort((a, b) => b.length - a.length));
  }

  /** Asked at each use for secrets that change outside of svc; earlier ones stay known. It must not throw. */
  addSource(readNew: () => readonly string[]): void {
    this.#sources.push(readNew);
  }

  #refresh(): void {
    for (const readNew of this.#sources) this.add(readNew());
  }

  /** Whether a text has a secret of svc itself, as it is. */
  holdsOwn(text: string): boolean {
    this.#refresh();
    return [...this.#own].some((secret) => text.includes(secret));
  }

  /** Takes secrets out of bytes that come in pieces. Secrets added later are not looked for. */
  stream(): SecretStream {
    this.#refresh();
    this.#table ??= createSecretTable([...this.#known]);
    return new SecretStream(this.#table);
  }

  readonly screen = (text: string): string => {
    this.#refresh();
    return this.#screen(text);
  };
}
