import type { Config } from '../configSchema.ts';

/** Mistakes of `llm.aliases.*.fallback`: aliases that are unknown, share an account, or form a cycle. */
export function reportFallbackMistakes(
  { llm: { aliases, defaultProvider } }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  const names = Object.keys(aliases);
  const next = (name: string) =>
    Object.hasOwn(aliases, name) ? aliases[name]?.fallback : undefined;
  const providerOf = (name: string) => aliases[name]?.provider ?? defaultProvider;
  for (const name of names) {
    const fallback = next(name);
    if (fallback === undefined) continue;
    const problem = (what: string) =>
      report(['llm', 'aliases', name, 'fallback'], `llm.aliases.${name}.fallback ${what}`);
    if (fallback === name) problem('is the alias itself. Name another one, or remove the key.');
    else if (!names.includes(fallback))
      problem(
        `is "${fallback}", but llm.aliases has no such alias. Add it, or name one of ${names.filter((one) => one !== name).join(', ') || 'those that you add'}.`,
      );
    else if (providerOf(fallback) === providerOf(name))
      problem(
        `is "${fallback}", which has the same provider ${providerOf(name)}. Name an alias with another provider.`,
      );
    else if (reachesAlias(fallback, name, next))
      problem(`leads back to ${name}. Remove the fallback of one alias of the circle.`);
  }
}

/** Whether the fallbacks of an alias reach a name; those after a mistake are not followed. */
function reachesAlias(
  from: string,
  name: string,
  next: (name: string) => string | undefined,
): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = from; at !== undefined && !seen.has(at); at = next(at)) {
    if (at === name) return true;
    seen.add(at);
  }
  return false;
}
