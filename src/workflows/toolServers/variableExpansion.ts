import { isOwnVariable, VARIABLE } from '../../base/settings/ownVariables.ts';

export interface Variables {
  /** Names that a person has allowed for this server. */
  allowed: ReadonlySet<string>;
  /** The runner's environment, which has the values. */
  env: Readonly<Record<string, string | undefined>>;
}

export class VariableExpansion {
  readonly secrets = new Set<string>();
  readonly notAllowed = new Set<string>();
  readonly unset = new Set<string>();
  /** Names that are set but not allowed, and have a default. */
  readonly defaulted = new Set<string>();
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  text(text: string): string {
    return text.replace(VARIABLE, (reference, name: string, fallback?: string) => {
      const { allowed, env } = this.#variables;
      const value = env[name] ?? '';
      if (!allowed.has(name) || isOwnVariable(name)) {
        if (fallback === undefined) this.notAllowed.add(name);
        else if (value !== '') this.defaulted.add(name);
        return fallback ?? reference;
      }
      if (value !== '') {
        this.secrets.add(value);
        return value;
      }
      if (fallback === undefined) this.unset.add(name);
      return fallback ?? reference;
    });
  }

  list(texts: readonly string[]): string[] {
    return texts.map((one) => this.text(one));
  }

  map(texts: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, this.text(one)]));
  }

  /**
   * What is missing, as a clause about the server; null = nothing. `repo`: slug of its repository.
   */
  problem(id: string, repo: string | null): string | null {
    const own = [...this.notAllowed].filter(isOwnVariable);
    if (own.length > 0)
      return `it uses ${joinVariableNames(own)}, which svc uses itself and never passes to a tool server`;
    const names = [...this.notAllowed];
    if (names.length > 0) {
      const flags = names.map((name) => `--env ${name}`).join(' ');
      const command = repo === null ? '' : `run svc trust add ${repo} ${flags}, or `;
      return `it needs ${joinVariableNames(names)} from the environment, which is not allowed: ${command}name ${names.length === 1 ? 'it' : 'them'} in mcpServers.${id}.allowedEnv of the configuration`;
    }
    if (this.unset.size > 0)
      return `it needs ${joinVariableNames([...this.unset])}, which is not set in the environment of the runner: set ${this.unset.size === 1 ? 'it' : 'them'} where svc is started, then run svc stop and svc start (svc restart keeps the old environment)`;
    return null;
  }
}

const joinVariableNames = (names: readonly string[]): string => names.join(', ');
